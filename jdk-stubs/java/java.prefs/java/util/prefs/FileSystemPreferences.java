package java.util.prefs;

import java.util.Map;
import java.util.TreeMap;

/**
 * Preferences that live as long as the VM.
 *
 * <p>The JDK's class keeps them in the user's home and in the JDK's folder, where a run would find what an earlier run or
 * another program has left, and leave something itself. Here both trees begin empty and are plain objects, so that what a
 * test puts there is shared state like any other.
 */
class FileSystemPreferences extends AbstractPreferences {
    private static Preferences userRoot;
    private static Preferences systemRoot;

    private final boolean isUserNode;
    private final Map<String, String> prefsCache = new TreeMap<>();

    static synchronized Preferences getUserRoot() {
        if (userRoot == null) {
            userRoot = new FileSystemPreferences(true);
        }
        return userRoot;
    }

    static synchronized Preferences getSystemRoot() {
        if (systemRoot == null) {
            systemRoot = new FileSystemPreferences(false);
        }
        return systemRoot;
    }

    private FileSystemPreferences(boolean user) {
        super(null, "");
        isUserNode = user;
    }

    private FileSystemPreferences(FileSystemPreferences parent, String name) {
        super(parent, name);
        isUserNode = parent.isUserNode;
        newNode = true;
    }

    @Override
    public boolean isUserNode() {
        return isUserNode;
    }

    @Override
    protected void putSpi(String key, String value) {
        prefsCache.put(key, value);
    }

    @Override
    protected String getSpi(String key) {
        return prefsCache.get(key);
    }

    @Override
    protected void removeSpi(String key) {
        prefsCache.remove(key);
    }

    @Override
    protected String[] keysSpi() {
        return prefsCache.keySet().toArray(new String[0]);
    }

    /** All children are in the superclass's cache. */
    @Override
    protected String[] childrenNamesSpi() {
        return new String[0];
    }

    @Override
    protected AbstractPreferences childSpi(String name) {
        return new FileSystemPreferences(this, name);
    }

    @Override
    protected void removeNodeSpi() {
    }

    /** A node that was removed has nothing to write; the superclass throws. */
    @Override
    public void flush() throws BackingStoreException {
        if (!isRemoved()) {
            super.flush();
        }
    }

    @Override
    protected void syncSpi() {
    }

    @Override
    protected void flushSpi() {
    }
}
