// exit: 1
// A class whose main is not what the launcher wants.
public class NoMain {
    public void main(String[] args) {
        System.out.println("never");
    }
}
