// Every shape of switch: tables, lookups, strings (with colliding hashes), enums, boxed, arrows, yields, fall-through.
public class Switches {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    static String table(int i) {
        switch (i) {
            case -1: return "minus";
            case 0: return "zero";
            case 1:
            case 2: return "one-two";
            case 4: return "four";
            default: return "other";
        }
    }

    static int lookup(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 7: return 3;
            case 100000: return 4;
            case Integer.MAX_VALUE: return 5;
        }
        return 0;
    }

    static String fall(int i) {
        StringBuilder sb = new StringBuilder();
        switch (i) {
            default: sb.append("d");
            case 1: sb.append("1");
            case 2: sb.append("2"); break;
            case 3: sb.append("3");
        }
        return sb.toString();
    }

    static int strings(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "BBBB": return 4;
            case "AaBB": return 5;
            case "": return 6;
            case "é漢": return 7;
            default: return -1;
        }
    }

    static String arrow(Day d) {
        return switch (d) {
            case MON, TUE, WED, THU -> "work";
            case FRI -> {
                String s = "almost";
                yield s + "!";
            }
            case SAT, SUN -> "rest";
        };
    }

    static int old(Day d) {
        switch (d) {
            case SUN: return 7;
            case MON: return 1;
            default: return d.ordinal() + 100;
        }
    }

    static String chars(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> "vowel";
            case '\uffff' -> "last";
            case '\0' -> "nul";
            default -> c >= 'a' && c <= 'z' ? "consonant" : "none";
        };
    }

    static String boxed(Object o) {
        if (o instanceof Integer i) {
            return switch (i) {
                case 1 -> "one";
                case 128 -> "onetwoeight";
                default -> "int";
            };
        } else if (o instanceof Byte b) {
            switch (b) {
                case -128: return "minbyte";
                case 127: return "maxbyte";
            }
            return "byte";
        } else if (o instanceof Short s) {
            return switch (s) { case 30000 -> "30k"; default -> "short"; };
        } else if (o instanceof Character c) {
            return chars(c);
        }
        return "?";
    }

    static int nested(int a, String b) {
        return switch (a) {
            case 0 -> switch (b) {
                case "x" -> 1;
                case "y" -> {
                    int t = 0;
                    for (int i = 0; i < 5; i++) {
                        if (i == 3) {
                            continue;
                        }
                        t += switch (i) { case 1 -> 10; default -> 1; };
                    }
                    yield t;
                }
                default -> 3;
            };
            case 1 -> {
                try {
                    yield Integer.parseInt(b);
                } catch (NumberFormatException e) {
                    yield -5;
                } finally {
                    System.out.print("[fin]");
                }
            }
            default -> throw new IllegalArgumentException(a + b);
        };
    }

    public static void main(String[] args) {
        for (int i = -2; i < 7; i++) {
            System.out.print(table(i) + " " + fall(i) + " ");
        }
        System.out.println();
        for (int i : new int[] {Integer.MIN_VALUE, -1000, -999, 0, 7, 8, 100000, Integer.MAX_VALUE}) {
            System.out.print(lookup(i) + " ");
        }
        System.out.println();
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "é漢", "C#", new String("BB")}) {
            System.out.print(strings(s) + " ");
        }
        System.out.println();
        for (Day d : Day.values()) {
            System.out.print(arrow(d) + old(d) + " ");
        }
        System.out.println();
        for (char c : "aez!\0\uffff".toCharArray()) {
            System.out.print(chars(c) + " ");
        }
        System.out.println();
        for (Object o : new Object[] {1, 128, 5, (byte) -128, (byte) 127, (byte) 0, (short) 30000, (short) 1, 'u',
            "s"}) {
            System.out.print(boxed(o) + " ");
        }
        System.out.println();
        System.out.println(nested(0, "x") + " " + nested(0, "y") + " " + nested(0, "q") + " " + nested(1, "42") + " "
            + nested(1, "z"));
        try {
            nested(9, "e");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            strings(null);
        } catch (NullPointerException e) {
            System.out.println("npe string");
        }
        try {
            Day none = null;
            arrow(none);
        } catch (NullPointerException e) {
            System.out.println("npe enum");
        }
        int dense = 0;
        for (int i = 0; i < 1000; i++) {
            switch (i & 15) {
                case 0: dense += 1; break;
                case 1: dense += 2; continue;
                case 2: dense ^= 3; break;
                case 3: dense += 4; break;
                case 4: dense -= 5; break;
                case 5: dense += 6; break;
                case 6: dense *= 7; break;
                case 7: dense += 8; break;
                case 8: case 9: case 10: dense >>= 1; break;
                default: dense += i;
            }
            dense++;
        }
        System.out.println(dense);
    }
}
