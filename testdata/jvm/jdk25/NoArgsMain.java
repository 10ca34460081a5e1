// args: ignored
// exit: 1
// A static main method without arguments, inherited; what it throws ends the program.
class NoArgsMainBase {
    static void main() {
        System.out.println("no arguments");
        throw new IllegalStateException("from main");
    }
}

class NoArgsMain extends NoArgsMainBase {
    static {
        System.out.println("initialised");
    }
}
