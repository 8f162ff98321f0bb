package io.ycsbdrill.experiment.spec;

/** Numbers, {@code + - * /} and brackets. For one expression. */
final class Arithmetic {
    private final String text;
    private int at;

    private Arithmetic(String text) {
        this.text = text;
    }

    /**
     * Computes: {@code (1 + 0.51) * 51}.
     *
     * @throws IllegalArgumentException when it is none, or has no finite result
     */
    static double of(String text) {
        Arithmetic all = new Arithmetic(text.replaceAll("\\s+", ""));
        double value = all.sum();
        if (all.at < all.text.length()) {
            throw new IllegalArgumentException("\"" + all.text.charAt(all.at) + "\" is not expected there");
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("it has no finite result");
        }
        return value;
    }

    private double sum() {
        double value = product();
        while (true) {
            if (next('+')) {
                value += product();
            } else if (next('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private double product() {
        double value = factor();
        while (true) {
            if (next('*')) {
                value *= factor();
            } else if (next('/')) {
                value /= factor();
            } else {
                return value;
            }
        }
    }

    private double factor() {
        if (next('(')) {
            double value = sum();
            if (!next(')')) {
                throw new IllegalArgumentException("a closing bracket is missing");
            }
            return value;
        }
        int from = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String number = text.substring(from, at);
        if (!number.matches("\\d+(\\.\\d+)?")) {
            throw new IllegalArgumentException("a number is missing");
        }
        return Double.parseDouble(number);
    }

    private boolean next(char sign) {
        if (at < text.length() && text.charAt(at) == sign) {
            at++;
            return true;
        }
        return false;
    }
}
