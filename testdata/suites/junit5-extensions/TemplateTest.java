package extensions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

class TemplateTest {
    @TestTemplate
    @ExtendWith(Words.class)
    void words(String word) { //~ [1] passed
        //~ [2] failed expected: <a> but was: <b>
        assertEquals("a", word);
    }

    static class Words implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(new Word("a"), new Word("b"));
        }
    }

    record Word(String word) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return "word " + word;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new ParameterResolver() {
                @Override
                public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
                    return true;
                }

                @Override
                public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
                    return word;
                }
            });
        }
    }
}
