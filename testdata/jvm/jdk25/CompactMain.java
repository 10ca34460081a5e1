// A compact source file with a module import (JEP 511, 512).
import module java.base;

List<String> names = List.of("a", "b");

void main() {
    IO.println(names.stream().map(String::toUpperCase).collect(Collectors.joining(",")));
    IO.println(getClass().getName() + " " + getClass().isSynthetic());
}
