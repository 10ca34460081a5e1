//! Guest-side listeners that mark test boundaries, and their driver.
