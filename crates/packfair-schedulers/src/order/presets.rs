//! The queue orders that are formulas with names.

use packfair_base::catalogue::FormulaPreset;

/// The orders; a search always tries the first.
pub(super) const PRESETS: &[FormulaPreset] = &[INDEX, MULTIFACTOR, FAIR_SHARE];

/// Many orders of the literature are cases of it: (3, 3, -1) is WFP, (0, 1, 1) SAF, (0, 1, 0) shortest first, (0, -1,
/// -1) LAF, (1, 1, 0) longest expansion, (1, 0, 0) first come first served.
const INDEX: FormulaPreset = FormulaPreset {
    id: "index",
    name: "Index (wait^a / (E^b r^c))",
    help: "largest wait^a / (E^b r^c) first, with exponents to choose",
    template: "wait^a/(estimate^b*processors^c) where a=0..4 by 0.25, b=-1..4 by 0.25, c=-2..3 by 0.25",
    usual: &[1.0, 1.0, 0.0],
};

/// Slurm's multifactor plugin has priority = PriorityWeightAge min(1, age / PriorityMaxAge) + PriorityWeightJobSize r /
/// N, with the age since submission and the N processors of the machine. Divided by PriorityWeightAge / PriorityMaxAge,
/// which changes no order, this is min(age, PriorityMaxAge) + z r. A processor counts as much as z =
/// PriorityWeightJobSize / PriorityWeightAge PriorityMaxAge / N seconds of waiting; with PriorityFavorSmall z is
/// negative.
const MULTIFACTOR: FormulaPreset = FormulaPreset {
    id: "multifactor",
    name: "Multifactor (age and size, as Slurm)",
    help: "largest min(wait, age) + size r first: Slurm's age and job size factors, scaled so that a second of waiting is \
           1; the age is PriorityMaxAge, the size PriorityWeightJobSize / PriorityWeightAge * PriorityMaxAge / N",
    template: "min(wait,a)+b*processors where a=4h..28d by 4h, b=-4h..4h by 5min",
    usual: &[604_800.0, 3_600.0],
};

/// The same with the share factor of the job's user, of which a full one is worth PriorityWeightFairshare /
/// PriorityWeightAge PriorityMaxAge of waiting. All users have equal shares
/// ([`packfair_engine::model::View::share`]). Accounts have no shares of their own, and there are no factors of
/// partition and quality of service.
const FAIR_SHARE: FormulaPreset = FormulaPreset {
    id: "fairshare",
    name: "Multifactor with fair share (as Slurm)",
    help: "largest min(wait, age) + share f first, with f from 1 for who has used nothing of the machine lately to 0: \
           PriorityMaxAge, and PriorityWeightFairshare / PriorityWeightAge * PriorityMaxAge",
    template: "min(wait,a)+b*share where a=4h..28d by 4h, b=4h..28d by 4h",
    usual: &[604_800.0, 604_800.0],
};
