// The registry of Figure 1, after Bukkit's.
package paper;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

public abstract class PotionEffectType {
    private static final Map<String, PotionEffectType> byName = new HashMap<String, PotionEffectType>();
    private static final PotionEffectType[] byId = new PotionEffectType[21];

    private final int id;

    protected PotionEffectType(int id) {
        this.id = id;
    }

    public abstract String getName();

    public static void registerPotionEffectType(PotionEffectType type) {
        byId[type.id] = type; //~ POLLUTES paper.PotionTest#setExtended changed paper.PotionEffectType.byId[19]: null -> _
        byName.put(type.getName().toLowerCase(Locale.ROOT), type);
        //~^ POLLUTES paper.PotionTest#setExtended added paper.PotionEffectType.byName["poison"]; collection-grew
    }

    public static PotionEffectType getByName(String name) {
        return byName.get(name.toLowerCase(Locale.ROOT));
    }
}
