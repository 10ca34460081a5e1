/** What rules hide can be shown. */
class RulesShown {
    static int hidden;
    static int number;

    public static void main(String[] args) {
        Probe.boundary("start");
        //= shown: changed RulesShown.number: 0 -> 1; Counter by main
        //= shown: changed RulesShown.hidden: 0 -> 1; Counter by main (mine)
        //= shown: 1 by mine
        hidden++;
        number++;
        Probe.boundary("shown");
    }
}
