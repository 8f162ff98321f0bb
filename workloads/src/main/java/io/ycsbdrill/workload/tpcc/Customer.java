package io.ycsbdrill.workload.tpcc;

/**
 * A customer by number, or in 60 of 100 cases by last name: the middle one of those with the name, by first name (TPC-C 2.5.2.2). Names never
 * change, so they are looked up without a lock.
 *
 * @param last null when the number is given
 */
record Customer(int w, int d, int given, String last) {

    static Customer drawn(Inputs inputs, int w, int d) {
        return inputs.draw().percent(60)
                ? new Customer(w, d, 0, inputs.lastName())
                : new Customer(w, d, inputs.customer(), null);
    }

    int number(Unit unit) throws Ended {
        if (last == null) {
            return given;
        }
        Row named = unit.present(unit.read(Tables.customersNamed(w, d, last)));
        return named.id((named.size() - 1) / 2);
    }
}
