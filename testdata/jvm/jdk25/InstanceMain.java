// args: one two
// Instance main methods (JEP 512): the constructor runs first.
class InstanceMain {
    final String made = "constructed";

    InstanceMain() {
        System.out.println("constructor");
    }

    void main(String[] args) {
        IO.println(made + " " + String.join("+", args));
        IO.print(helper());
        IO.println();
        System.out.println(Thread.currentThread().getStackTrace()[1].getMethodName());
    }

    private String helper() {
        return "helped";
    }
}
