package runners;

import org.junit.Assert;
import org.junit.Test;
import org.junit.experimental.categories.Categories;
import org.junit.experimental.categories.Categories.ExcludeCategory;
import org.junit.experimental.categories.Categories.IncludeCategory;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Suite.SuiteClasses;

@RunWith(Categories.class)
@IncludeCategory(CategoriesTest.Quick.class)
@ExcludeCategory(CategoriesTest.Flaky.class)
@SuiteClasses(CategoriesTest.Members.class)
public class CategoriesTest {
    public interface Quick {}

    public interface Flaky {}

    public static class Members {
        @Test
        @Category(Quick.class)
        public void quick() { //~ passed
        }

        @Test
        @Category({Quick.class, Flaky.class})
        public void quickButFlaky() {
            Assert.fail("excluded");
        }

        @Test
        public void neither() {
            Assert.fail("not included");
        }
    }
}
