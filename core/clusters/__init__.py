"""Clusters within clusters, their levels, names and examples, and changes by hand over them.

The way: `cluster` makes the tree, `levels` cuts it, `first_level` says which cut to show,
`labels_at` labels the texts, `assign` leaves fewer unclustered, `reapply` lays the changes by
hand over it. `keywords` and `exemplars` speak of each node of the tree, so a cluster is called
the same at each level; for clusters changed by hand they take a `flat_tree`.

Importing this package is cheap; hdbscan and scipy load with the first call that needs them.
"""

from core.clusters.assigning import assign
from core.clusters.exemplars import exemplars
from core.clusters.hand import Layered, reapply
from core.clusters.keywords import Keywords, flat_tree, keywords
from core.clusters.levels import UNCLUSTERED, How, Labels, first_level, labels_at, levels
from core.clusters.tree import ClusterTree, Members, cluster, default_min_size

__all__ = [
    "UNCLUSTERED",
    "ClusterTree",
    "How",
    "Keywords",
    "Labels",
    "Layered",
    "Members",
    "assign",
    "cluster",
    "default_min_size",
    "exemplars",
    "first_level",
    "flat_tree",
    "keywords",
    "labels_at",
    "levels",
    "reapply",
]
