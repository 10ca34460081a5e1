package extensions;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

class ConditionsTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void onLinux() { //~ passed
    }

    @Test
    @DisabledOnOs(OS.LINUX)
    void notOnLinux() { //~ skipped Disabled on operating system: Linux
        Assertions.fail();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_17)
    void onNewJava() { //~ passed
    }

    @Test
    @EnabledOnJre(JRE.JAVA_8)
    void onOldJava() { //~ skipped Disabled on JRE version
        Assertions.fail();
    }

    @Test
    @EnabledIfSystemProperty(named = "no.such.property", matches = ".*")
    void byProperty() { //~ skipped System property [no.such.property] does not exist
        Assertions.fail();
    }

    @Test
    @EnabledIfSystemProperty(named = "java.specification.version", matches = "\\d+")
    void byVersion() { //~ passed
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "POLDET_PROBE", matches = "set.*")
    void byEnvironment() { //~ skipped Environment variable [POLDET_PROBE] with value [set by the harness] matches regular expression [set.*]
        Assertions.fail();
    }

    @Test
    @EnabledIf("yes")
    void ifYes() { //~ passed
    }

    @Test
    @DisabledIf(value = "yes", disabledReason = "yes means no")
    void ifNo() { //~ skipped yes means no
        Assertions.fail();
    }

    boolean yes() {
        return true;
    }
}
