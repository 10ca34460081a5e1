package gone;

public class GoneBase {}
