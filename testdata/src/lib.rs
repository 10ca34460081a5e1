//! Finds the fixture programs and their expected output.
