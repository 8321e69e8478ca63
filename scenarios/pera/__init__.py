"""The four experiments of Karunarathna et al. (2023) in mixed reality, run again."""
