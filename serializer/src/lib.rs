//! The canonical walk over a captured heap; see `docs`.
