package io.ycsbdrill.client.merge;

/** Decimal numbers of run directories as whole numbers: exact, and quick, as a day has millions of them. */
final class Decimals {
    private Decimals() {}

    /**
     * The number with its point moved to the right; further decimals are cut off.
     *
     * @param places of the point, 0 to 9
     * @throws NumberFormatException when it is not a decimal number without exponent
     */
    static long parse(String number, int places) {
        int point = number.indexOf('.');
        if (point < 0) {
            return Math.multiplyExact(Long.parseLong(number), power(places));
        }
        long whole = Math.multiplyExact(Long.parseLong(number.substring(0, point)), power(places));
        String decimals = number.substring(point + 1);
        if (decimals.isEmpty() || !decimals.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NumberFormatException("\"" + number + "\" is not a decimal number");
        }
        String kept = decimals.substring(0, Math.min(places, decimals.length()));
        long fraction = kept.isEmpty() ? 0 : Long.parseLong(kept) * power(places - kept.length());
        return number.startsWith("-") ? whole - fraction : whole + fraction;
    }

    private static long power(int places) {
        long power = 1;
        for (int i = 0; i < places; i++) {
            power *= 10;
        }
        return power;
    }
}
