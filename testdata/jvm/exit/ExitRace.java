// exit: 2
// exit called in a hook would wait for ever; a second exit from another thread blocks and does not change the code.
public class ExitRace {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Thread late = new Thread(() -> { System.exit(9); System.out.println("never"); });
            late.start();
            try { late.join(50); } catch (InterruptedException e) { }
            System.out.println("second exit blocks " + late.isAlive());
        }));
        System.exit(2);
    }
}
