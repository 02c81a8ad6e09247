//! Which columns of a table are which, by their names.

use super::super::numbers::is_unknown;
use super::super::time::{digits, moment};
use super::choosing::span_with_unit;
use super::mapping::LogColumn::*;
use super::mapping::{COLUMNS, ColumnMap, LogColumn, MappedColumn, ValueForm};
use super::value::{midnight, span, time, whole};
use crate::{DataSet, Seconds, printable};
use packfair_base::column_name::{LONGEST, NO_UNIT, plain, without_form, without_unit};
use std::borrow::Cow;

/// The names of each column, in small letters and digits alone, the more telling first.
///
/// English ones come first, then German, French and Spanish ones, without words that may mean several fields (Rechenzeit,
/// temps). Sources: ALCF's job composites, Batsim's `jobs.csv`, Helios, MIT Supercloud, Lassen, the AWS cost simulator,
/// F-DATA, the Frontier and Kestrel data sets, and what people call such columns.
const NAMES: &[(LogColumn, &str)] = &[
    (
        Id,
        "jobid id idjob cobaltjobid jobnumber jid job jobidraw clusterid globaljobid jobnummer auftrag \
         auftragsnummer auftragsid numerodejob numerodetravail idtravail idtrabajo numerodetrabajo",
    ),
    (
        Submit,
        "submit submittime submissiontime timesubmit timesubmission jobsubmittime submittedtime submittimestamp \
         queuedtimestamp queuedtime creationtime creationtimestamp subtime ctime adt qdate submitted \
         submission submitdate submitat submittedat queuedat arrivaltime arrival enqueuetime tsubmit qtime \
         queuedate qsubtime eingereicht eingereichtam einreichung einreichungszeit einreichzeit einreichdatum \
         abgabe abgabezeit submitzeit submitzeitpunkt soumission soumis datesoumission datedesoumission \
         heuredesoumission envio enviado fechaenvio fechadeenvio horadeenvio jobsubmit submissiondate \
         timequeued timesubmitted enqueued createdat created timecreated createtime creationdate",
    ),
    (Eligible, "eligible eligibletime timeeligible etime"),
    (
        Start,
        "start starttime startingtime timestart starttimestamp scheduledtime begintime begin sdt started \
         startdate startedat jobstartdate jobcurrentstartdate tstart startt dispatchtime startedtime trun \
         startzeit startzeitpunkt startdatum gestartet gestartetam beginn beginnzeit debut datedebut \
         datededebut heuredebut heurededebut inicio fechainicio fechadeinicio horainicio horadeinicio stime jobstart jobstarttime \
         timestarted",
    ),
    (
        End,
        "end endtime finishtime timeend endtimestamp completiontime deletiontime finish edt ended completed \
         stoptime stop stopped enddate endedat completiondate tend terminationtime finished finishedat \
         completedat tcleanup tinactive ende endzeit endzeitpunkt enddatum beendet beendetam fin datefin \
         datedefin heurefin heuredefin fechafin fechadefin horafin horadefin obittime jobend jobendtime timeended \
         timefinished finishdate",
    ),
    (
        Run,
        "run runtime runtimeseconds executiontime elapsed elapsedtime elapsedraw realtime duration wallclock \
         walltimeused elapsedseconds runduration remotewallclocktime wallclocktime actualruntime usedwalltime walltimeuse \
         ruwallclock resourcesusedwalltime runtimeactual actualtime actualduration actualwalltime jobduration jobruntime \
         laufzeit dauer ausfuhrungszeit duree tempsdexecution duracion tiempodeejecucion",
    ),
    (
        Wait,
        "wait waittime waitingtime queuedwaitseconds queuetime waitingduration queueduration queuewait \
         pendingtime pendtime timeinqueue wartezeit wartedauer attente tempsdattente espera tiempodeespera",
    ),
    (
        Limit,
        "limit timelimit walltime walltimeseconds requestedtime reqtime requestedwalltime wallclockreq \
         walltimereq elpl timelimitseconds maxruntime request timelimitraw wallclocklimit maxwalltime \
         tlimit timelim limittime runlimit runtimelimit walllimit walllim wclimit jobtimelimit timerequested timereq requesttime \
         wallrequested requestedwall reqwall wallreq wallclockrequested requestedwallclock wallclockrequest walltimerequest \
         requestedruntime reqruntime runtimerequested requestedduration maxtime maxwall maxrun maxduration maxwallclock \
         maxwallclocktime maxexecutiontime maxjobtime hardwallclocklimit askedtime askedwalltime estimatedruntime \
         runtimeestimate estimatedtime userestimate userruntimeestimate expectedruntime timeout \
         walltimelimit walltimerequested reqwalltime resourcelistwalltime hrt zeitlimit laufzeitlimit zeitbegrenzung maxlaufzeit \
         maximalelaufzeit beantragtelaufzeit angefordertelaufzeit angefordertezeit limite limitedetemps \
         tempslimite tempsdemande limitedetiempo tiempolimite tiemposolicitado",
    ),
    (
        Processors,
        "processors procs ncpus cpus cpusalloc alloccpus cores ncores numcores corenum coresused cpunum \
         numcoresalloc cpusallocated coresallocated processorsallocated allocatedcpus allocatedprocessors \
         allocprocs cpusprovisioned cpusreq processorsreq procsreq coresreq reqcpus \
         requestednumberofresources requestednumberofprocessors nprocs slots size width res coresrequested \
         numprocs numberofcores cpumilli requestcpus nbcores nbcpus nbprocs processorsalloc numcpus ntasks \
         nbresources cpucount corecount numprocessors nprocessors allocatedcores usedcores requestedcores \
         requestedcpus requestedprocessors reqprocs reqcores cpusrequested processorsrequested totalcpus \
         totalcores totalprocs cpurequest kerne anzahlkerne prozessoren anzahlprozessoren prozessorkerne \
         rechenkerne anzahlcpus coeurs nombredecoeurs processeurs nombredeprocesseurs nucleos numerodenucleos \
         procesadores numerodeprocesadores ncpu numcpu ncore numcore nproc numproc cpucores vcpus \
         resourcelistncpus ntask numtasks nbtasks tasks",
    ),
    (
        Nodes,
        "nodes nnodes numnodes nodesalloc nodesused nodenum nodesrequested nnuma nnumr numhosts nodecount \
         allocnodes numnode nbnodes nbhosts nodecnt requestednodes reqnodes totalnodes knoten anzahlknoten \
         rechenknoten noeuds nombredenoeuds nodos numerodenodos numberofnodes nnode nodescount resourcelistnodect \
         numnodesalloc",
    ),
    (Gpus, "gpus ngpus gpunum numgpu numgpus numallocgpus gpusalloc gpucount requestgpus gpu allocgpus"),
    (Tres, "tresalloc alloctres tresreq reqtres"),
    (
        User,
        "user username userid uid usernamegenid owner hasheduserid iduser usr jobuser jobowner submituser \
         benutzer benutzername nutzer nutzername utilisateur usuario",
    ),
    (
        Group,
        "account project projectname projectnamegenid group groupid vc idassoc groupname projectid \
         accountname acct projekt konto gruppe projet compte groupe proyecto cuenta grupo",
    ),
    (Queue, "queue queuename qos queuenamegenid priorityclass class jobclass warteschlange filedattente cola"),
    (Partition, "partition partitionname cluster machinename"),
    (Executable, "jobname executable application app name jnam command auftragsname programm"),
    (
        Status,
        "state statecurrent status finalstate jobstate jobstatus zustand etat estado podphase phase \
         success exitstatus exitcode",
    ),
    (
        Watts,
        "watts powerwatts avgpcon powerconsumption nodepowerconsumption averagepower avgpower meanpower power \
         powerw",
    ),
    (Energy, "energy energyj energyjoules joules consumedenergyraw consumedenergy energyconsumed"),
];

/// Whether a name of a column can begin so.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// The names of a column, as [`plain`] makes them.
pub(super) fn known_names(column: LogColumn) -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter(move |(of, _)| *of == column).flat_map(|(_, names)| names.split(' '))
}

/// Whether a column of this name tells anything of jobs.
pub(in crate::accounting) fn is_known(name: &str) -> bool {
    let is_named = |name: &str| NAMES.iter().any(|(_, names)| names.split(' ').any(|known| known == name));
    let others =
        [&ID_PARTS[..], &STEPS, &SUSPENDED, TASKS, EACH_TASK, EACH_NODE, WHOLES, PARTS_OF_WHOLES, &[FLUX_STATUS]];
    let asked = ASKED.into_iter();
    let name_alone = plain(name);
    is_named(&name_alone)
        || others.into_iter().chain(asked).any(|names| names.contains(&name_alone.as_str()))
        || without_unit(name).is_some_and(|(name, _)| is_named(&name) || span_with_unit(&name).is_some())
        || parts(name).any(|part| field_of(part).is_some())
}

/// What stands between the parts of a name, as where objects in objects were made columns: `job.time.start`.
const JOINTS: [&str; 3] = [".", "/", "__"];

/// The most columns of which names are looked into; data about something else can have thousands.
const MOST_WITH_JOINTS: usize = 200;

/// The end of the name of a number that stands beside whether it is set, as Slurm writes numbers.
pub(in crate::accounting) const NUMBER: &str = ".number";

/// What is no field's name behind others: `memory.limit` is no time.
const NO_ENDS: &str =
    "id limit request size res width class success power energy command application app name ruwallclock";

/// What stands before `.name` in a name, and what stands behind each of its joints.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    // a line of something else may be taken for a single name
    let name = if name.len() > LONGEST { "" } else { name };
    let joints = JOINTS.into_iter().flat_map(move |joint| name.match_indices(joint));
    let behind = joints.map(move |(at, joint)| &name[at + joint.len()..]);
    // a walltime that was used is no limit
    let is_field = move |end: &&str| !(name.contains("used") && plain(end) == "walltime");
    let ends = behind.filter(is_field).filter(|end| !NO_ENDS.split(' ').any(|no| no == plain(end)));
    name.strip_suffix(".name").into_iter().chain(ends)
}

/// The field that a column of this name holds.
fn field_of(name: &str) -> Option<LogColumn> {
    let of =
        |name: &str| NAMES.iter().find(|(_, known)| known.split(' ').any(|known| known == name)).map(|(of, _)| *of);
    of(&plain(name)).or_else(|| {
        let (name, _) = without_unit(name)?;
        of(&name).filter(|field| field.is_of_time()).or_else(|| span_with_unit(&name))
    })
}

/// The first word of most names, which says what all of them are of: `sim_` of `sim_submit`, `sim_duration`.
fn shared_begin(names: &[String]) -> Option<&str> {
    let word =
        |name: &'_ String| name.find(['_', '.', ' ', '-']).map(|at| at + 1).filter(|&end| (2..20).contains(&end));
    let begins = || names.iter().filter_map(|name| name.get(..word(name)?));
    let most = begins().next().into_iter().chain(begins().nth(1)).find(|begin| {
        names.len() > 3 && 3 * names.iter().filter(|name| name.starts_with(begin)).count() > 2 * names.len()
    })?;
    Some(most)
}

/// The names by which columns are known: their own, or a part of it where no column has a field by its own name that the part
/// is of, and no other column has that part: `start_time` of `job.start_time`.
fn meant(names: &[String]) -> Vec<String> {
    let mut meant: Vec<String> =
        names.iter().map(|name| without_form(name.strip_suffix(NUMBER).unwrap_or(name))).collect();
    if let Some(shared) = shared_begin(names) {
        for name in &mut meant {
            *name = name.strip_prefix(shared).filter(|_| field_of(name).is_none()).unwrap_or(name).to_owned();
        }
    }
    if names.len() > MOST_WITH_JOINTS || !names.iter().any(|name| JOINTS.iter().any(|joint| name.contains(joint))) {
        return meant;
    }
    let fields: Vec<Option<LogColumn>> = meant.iter().map(|name| field_of(name)).collect();
    let part = |name: &String| -> Option<String> {
        let is_free = |part: &&str| field_of(part).is_some_and(|field| !fields.contains(&Some(field)));
        parts(name).find(is_free).map(str::to_owned)
    };
    let found: Vec<Option<String>> =
        meant.iter().zip(&fields).map(|(name, field)| if field.is_none() { part(name) } else { None }).collect();
    for (at, part) in found.iter().enumerate() {
        if let Some(part) = part
            && found.iter().filter(|other| other.as_ref() == Some(part)).count() == 1
        {
            meant[at].clone_from(part);
        }
    }
    meant
}

/// Names of the processors, the nodes and the resources that a job asked for.
const ASKED: [&[&str]; 3] = [
    &[
        "reqcpus",
        "cpusreq",
        "requestcpus",
        "processorsreq",
        "procsreq",
        "coresreq",
        "numcoresreq",
        "coresrequested",
        "cpusrequested",
        "processorsrequested",
        "requestedcores",
        "requestedcpus",
        "requestedprocessors",
        "requestedprocs",
        "requestednumberofprocessors",
        "requestednumberofresources",
        "reqprocs",
        "reqcores",
    ],
    &["reqnodes", "nodesreq", "numnodesreq", "nodesrequested", "requestednodes", "nnumr"],
    &["reqtres", "tresreq"],
];

/// Names of tasks that are counted in place of processors, of the processors that each has, and of those of each node.
const TASKS: &[&str] = &["ntasks", "tasks", "numtasks", "nbtasks"];
const EACH_TASK: &[&str] = &["cpuspertask", "ncpuspertask", "corespertask", "threadspertask"];
const EACH_NODE: &[&str] = &[
    "ppn",
    "corespernode",
    "cpuspernode",
    "ncpuspernode",
    "procspernode",
    "processorspernode",
    "taskspernode",
    "ntaskspernode",
    "numtaskspernode",
];

/// Names of the second part of an id, where a column by itself has that of several jobs.
const ID_PARTS: [&str; 8] =
    ["procid", "tasknumber", "taskid", "arraytaskid", "arrayindex", "jobindex", "idarraytask", "arrayid"];

/// Names of the step of a job that a row is of.
const STEPS: [&str; 4] = ["jobstep", "stepid", "jobstepid", "slurmstepid"];

/// Names of the heterogeneous job that a job is a part of, and of which part it is.
const WHOLES: &[&str] = &["hetjobid", "packjobid"];
const PARTS_OF_WHOLES: &[&str] = &["hetjoboffset", "packjoboffset"];

/// What Flux calls the state of a job that has not ended, and the result of one that has.
const FLUX_STATUS: &str = "status";

/// Names of the time for which a job was suspended.
const SUSPENDED: [&str; 4] = ["suspended", "timesuspended", "suspendedtime", "cumulativesuspensiontime"];

/// Names of the zone of a row's times.
const ZONES: [&str; 6] = ["timezone", "tz", "timezoneoffset", "tzoffset", "utcoffset", "zone"];

/// More minutes than limits have that are not unusual: two weeks.
const WEEKS: Seconds = 14 * 1_440;

/// A run time that counts the time for which a job was suspended.
const ALLOCATED: &str = "remotewallclocktime";

/// Whose numbers or words a table may have in place of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignStates {
    Unknown,
    /// The numbers of Slurm's own data base.
    OfSlurm,
    OfHtcondor,
    OfFlux,
    /// What the job's program returned, 0 where all was well.
    ExitCodes,
}

#[derive(Clone, Debug)]
pub(crate) struct LogColumns {
    places: [Option<usize>; COLUMNS],
    forms: Vec<ValueForm>,
    /// The unit of a time limit that is a plain number, seconds.
    limit_unit: Seconds,
    /// How many of the counted units make a processor: 1,000 where a table counts thousandths.
    parts_of_processor: u32,
    /// What numbers or words mean that stand for states.
    pub foreign_states: ForeignStates,
    /// The places of the processors, the nodes and the resources that jobs asked for, beside those that they were given.
    asked: [Option<usize>; 3],
    /// The places of tasks, of the processors of each, and of those of each node.
    parts: [Option<usize>; 3],
    /// The place of the second part of an id: of HTCondor's process, of the task of an array.
    pub id_part: Option<usize>,
    /// The place of the step of a job that a row is of, where it is of one.
    pub step: Option<usize>,
    /// The place of the time for which jobs were suspended.
    pub suspended: Option<usize>,
    /// The places of the number of the heterogeneous job that a job is a part of, and of which part it is.
    pub part_of: [Option<usize>; 2],
    /// Whether the unit of a duration was found by its values.
    pub has_found_unit: bool,
    /// The place of the zone of all times of a row that have none themselves.
    pub zone: Option<usize>,
    /// Of which columns of times a date without a time of day is its midnight: those that have times of day.
    midnights: [bool; COLUMNS],
    /// The places of dates whose times of day stand in columns of their own, and of these.
    times_of_day: Vec<(usize, usize)>,
    pub names: Vec<String>,
    /// The names by which they are known.
    pub(super) meant: Vec<String>,
}

impl LogColumns {
    pub(crate) fn named(names: &[String]) -> Self {
        let meant = meant(names);
        let plain: Vec<String> = meant.iter().map(|name| plain(name)).collect();
        let mut places = [None; COLUMNS];
        for (column, known) in NAMES {
            places[*column as usize] = known.split(' ').find_map(|name| plain.iter().position(|other| other == name));
        }
        let mut columns = LogColumns {
            places,
            forms: vec![ValueForm::AsItLooks; COLUMNS],
            limit_unit: 1,
            parts_of_processor: 1,
            foreign_states: ForeignStates::Unknown,
            asked: ASKED.map(|names| names.iter().find_map(|name| plain.iter().position(|other| other == name))),
            parts: [TASKS, EACH_TASK, EACH_NODE]
                .map(|names| names.iter().find_map(|name| plain.iter().position(|other| other == name))),
            id_part: ID_PARTS.iter().find_map(|name| plain.iter().position(|other| other == name)),
            step: STEPS.iter().find_map(|name| plain.iter().position(|other| other == name)),
            suspended: SUSPENDED.iter().find_map(|name| plain.iter().position(|other| other == name)),
            part_of: [WHOLES, PARTS_OF_WHOLES]
                .map(|names| names.iter().find_map(|name| plain.iter().position(|other| other == name))),
            has_found_unit: false,
            zone: ZONES.iter().find_map(|name| plain.iter().position(|other| other == name)),
            midnights: [false; COLUMNS],
            times_of_day: Vec::new(),
            names: names.to_vec(),
            meant,
        };
        // Slurm's own data base counts limits in minutes
        if names.iter().any(|name| name.eq_ignore_ascii_case("timelimit"))
            && plain.iter().any(|name| name == "timesubmit")
        {
            columns.limit_unit = 60;
            columns.foreign_states = ForeignStates::OfSlurm;
        }
        if plain.iter().any(|name| name == "qdate" || name == "procid") {
            columns.foreign_states = ForeignStates::OfHtcondor;
        }
        if plain.iter().any(|name| name == "tsubmit") {
            columns.foreign_states = ForeignStates::OfFlux;
            let status = plain.iter().position(|name| name == FLUX_STATUS);
            columns.places[Status as usize] = status.or(columns.places[Status as usize]);
        }
        // and so does what sacct prints as raw, and what Slurm writes in JSON
        let is_in_minutes = |at: usize| {
            let is_of_json = plain[at] == "timelimit" && plain.iter().any(|name| name == "timesubmission");
            plain[at] == "timelimitraw" || names[at].ends_with(NUMBER) || is_of_json
        };
        if places[Limit as usize].is_some_and(is_in_minutes) {
            columns.limit_unit = 60;
        }
        // Kubernetes counts in thousandths of processors, and tells pods by their names
        let is_milli = |place: Option<usize>| place.is_some_and(|at| plain[at] == "cpumilli");
        if is_milli(places[Processors as usize]) {
            columns.parts_of_processor = 1_000;
            columns.places[Id as usize] = places[Id as usize].or(plain.iter().position(|name| name == "name"));
        }
        columns
    }

    /// Whether columns of these names make a log, or are those of which something is stated.
    pub(crate) fn make_log(names: &[String], stated: Option<&ColumnMap>) -> bool {
        let are_stated = |map: &ColumnMap| map.columns.iter().any(|column| names.contains(&column.source));
        stated.is_some_and(are_stated) || LogColumns::named(names).choosing(&[]).missing().is_empty()
    }

    /// The columns that have these names, of which rows have these values, except where `map` states another.
    ///
    /// # Errors
    /// The name of the first column that `map` states and the table does not have.
    pub(super) fn mapped(names: &[String], map: &ColumnMap, rows: &[Vec<Vec<u8>>]) -> Result<Self, String> {
        let mut columns = LogColumns::named(names).choosing(rows);
        for mapped in &map.columns {
            let source = mapped.source.as_str();
            let named = || names.iter().position(|name| name.trim() == source);
            let alike = || names.iter().position(|name| !source.is_empty() && plain(name) == plain(source));
            let numbered = || source.parse().ok().filter(|number| (1..=names.len()).contains(number)).map(|n| n - 1);
            // a value of line 1 is no name, though it may look like a number that is stated
            let place = if map.is_of_numbers() { numbered() } else { named().or_else(alike).or_else(numbered) };
            if place.is_none() && !source.is_empty() {
                return Err(source.to_owned());
            }
            columns.places[mapped.field as usize] = place;
            columns.forms[mapped.field as usize] = mapped.form.clone();
        }
        columns.follow_stated_dates(map, rows);
        columns.tell_exit_codes();
        Ok(columns)
    }

    /// The columns by a line that names them anew, as where tables were put together; none where a line is a row, which has
    /// a value that begins with a digit, or no name of these.
    pub(super) fn renamed(&self, values: &[&[u8]]) -> Option<Self> {
        if values.len() < 3 || !values.iter().all(|value| value.first().is_some_and(|&byte| is_of_name(byte))) {
            return None;
        }
        let names: Vec<String> = values.iter().map(|value| printable(&String::from_utf8_lossy(value))).collect();
        let place = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let is_known = |name: &String| self.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if !names.iter().all(is_known) {
            let other = LogColumns::named(&names);
            return (2 * names.iter().filter(|name| is_known(name)).count() > names.len()
                && other.missing().is_empty())
            .then_some(other);
        }
        let moved = |at: Option<usize>| at.and_then(|at| place(&self.names[at]));
        Some(LogColumns {
            places: self.places.map(moved),
            asked: self.asked.map(moved),
            parts: self.parts.map(moved),
            id_part: moved(self.id_part),
            suspended: moved(self.suspended),
            step: moved(self.step),
            zone: moved(self.zone),
            part_of: self.part_of.map(moved),
            times_of_day: self
                .times_of_day
                .iter()
                .filter_map(|(at, time)| moved(Some(*at)).zip(moved(Some(*time))))
                .collect(),
            meant: meant(&names),
            forms: self.forms.clone(),
            names,
            ..*self
        })
    }

    /// The columns of a table of a public data set, which may lack some of those that the set has; `rows` are its first
    /// ones.
    pub(super) fn of_set(names: &[String], set: &DataSet, rows: &[Vec<Vec<u8>>]) -> Self {
        let reads = set.reads.iter().filter_map(|read| read.parse().ok());
        let is_there =
            |read: &MappedColumn| read.source.is_empty() || names.iter().any(|name| plain(name) == plain(&read.source));
        let map = ColumnMap { columns: reads.filter(is_there).collect() };
        LogColumns::mapped(names, &map, rows).unwrap_or_else(|_| LogColumns::named(names))
    }

    /// The time that a field of a column says, Unix seconds or seconds since the log's own zero.
    pub(crate) fn time(&self, column: LogColumn, field: &[u8]) -> Option<Seconds> {
        let as_it_looks = || time(field).or_else(|| midnight(field).filter(|_| self.midnights[column as usize]));
        self.forms[column as usize].seconds(field).unwrap_or_else(as_it_looks)
    }

    /// The duration that a field of a column says, seconds.
    pub(crate) fn span(&self, column: LogColumn, field: &[u8]) -> Option<Seconds> {
        self.forms[column as usize].seconds(field).unwrap_or_else(|| span(field)).filter(|&span| span >= 0)
    }

    pub(super) fn form(&self, column: LogColumn) -> ValueForm {
        self.forms[column as usize].clone()
    }

    /// Sets which column holds a field, and how its values are written.
    pub(super) fn put(&mut self, column: LogColumn, place: usize, form: ValueForm) {
        self.places[column as usize] = Some(place);
        self.forms[column as usize] = form;
    }

    /// Finds out whether exit codes stand for states.
    pub(super) fn tell_exit_codes(&mut self) {
        if self.place(Status).is_some_and(|at| plain(&self.meant[at]).starts_with("exit")) {
            self.foreign_states = ForeignStates::ExitCodes;
        }
    }

    /// Says that in a column of times a date without a time of day is its midnight.
    pub(super) fn let_dates_be_midnights(&mut self, column: LogColumn) {
        self.midnights[column as usize] = true;
    }

    /// Says that no column holds a field.
    pub(super) fn clear(&mut self, column: LogColumn) {
        self.places[column as usize] = None;
    }

    /// Says that the times of day of a column of dates stand in another.
    pub(super) fn put_time_of_day(&mut self, date: usize, time: usize) {
        self.times_of_day.push((date, time));
    }

    /// The value of a place in a row, a date with its time of day where that stands in another column.
    pub(super) fn value_at<'v>(&self, at: usize, values: &[&'v [u8]]) -> Option<Cow<'v, [u8]>> {
        let value = *values.get(at)?;
        let time = self.times_of_day.iter().find(|(date, _)| *date == at).and_then(|(_, time)| values.get(*time));
        Some(match time {
            Some(time) if !is_unknown(value) => Cow::Owned([value, b" ", time].concat()),
            _ => Cow::Borrowed(value),
        })
    }

    /// The value of a column in a row, as [`LogColumns::value_at`] has it.
    pub(super) fn value<'v>(&self, column: LogColumn, values: &[&'v [u8]]) -> Option<Cow<'v, [u8]>> {
        let value = self.value_at(self.place(column)?, values)?;
        let zone = self.zone.and_then(|at| values.get(at)).filter(|_| column.is_of_time() && !column.is_of_spans());
        let ends_with_time = |value: &[u8]| {
            value.contains(&b':') && value.last().is_some_and(u8::is_ascii_digit) && !value.contains(&b'+')
        };
        Some(match zone {
            Some(zone) if !is_unknown(zone) && ends_with_time(&value) && moment(&value).is_some() => {
                Cow::Owned([&*value, b" ", zone].concat())
            }
            _ => value,
        })
    }

    /// Drops a column that is called after zones and has something else in it, and not zones that are not understood.
    pub(super) fn check_zones(&mut self, rows: &[Vec<Vec<u8>>]) {
        let is_zone = |zone: &Vec<u8>| moment(&[b"2026-01-05 10:00:00 ", zone.as_slice()].concat()).is_some();
        let is_named = |at: usize| plain(&self.meant[at]) != "zone";
        self.zone = self.zone.filter(|&at| is_named(at) || rows.iter().filter_map(|row| row.get(at)).all(is_zone));
    }

    /// The place of a column, from 0.
    pub(crate) fn place(&self, column: LogColumn) -> Option<usize> {
        self.places[column as usize]
    }

    /// The places of the processors, the nodes and the resources that jobs asked for, where other columns have what they were
    /// given.
    pub(super) fn asked(&self) -> [Option<usize>; 3] {
        let given = [Processors, Nodes, Tres].map(|column| self.place(column));
        [0, 1, 2].map(|kind| self.asked[kind].filter(|_| given[kind].is_some() && self.asked[kind] != given[kind]))
    }

    /// The places of the processors of each task, where tasks are counted in place of processors, of those of each node, or of
    /// its tasks, and then of the processors of these.
    pub(super) fn each(&self) -> [Option<usize>; 3] {
        let [tasks, each_task, each_node] = self.parts;
        let are_tasks = each_node.is_some_and(|at| plain(&self.meant[at]).contains("tasks"));
        [
            each_task.filter(|_| tasks.is_some() && tasks == self.place(Processors)),
            each_node,
            each_task.filter(|_| are_tasks),
        ]
    }

    /// Whether the column of run times has the time from start to end: as HTCondor counts, one that was suspended held its
    /// machine all the same.
    pub(super) fn run_counts_suspension(&self) -> bool {
        self.place(Run).is_some_and(|at| plain(&self.meant[at]) == ALLOCATED)
    }

    /// The columns that a simulation needs and the table lacks, in words.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let has = |column| self.place(column).is_some();
        let starts = has(Start) || (has(Submit) && has(Wait));
        let run = has(Run) || (starts && has(End));
        let submit = has(Submit) || (has(Start) && has(Wait));
        let width = has(Processors) || has(Nodes) || has(Gpus) || has(Tres);
        let needs = [
            (submit, "the time of submission (submit)"),
            (run, "the run time (run, or start and end)"),
            (width, "the number of processors or nodes (processors, nodes)"),
        ];
        needs.into_iter().filter(|(there, _)| !there).map(|(_, what)| what).collect()
    }

    /// How many processors, nodes or graphics processors a number stands for. A part of a processor counts as a whole
    /// one.
    pub(super) fn count(&self, column: LogColumn, number: u32) -> u32 {
        if column == Processors { number.div_ceil(self.parts_of_processor) } else { number }
    }

    /// Whether the name of the column of limits, or the user, says their unit.
    pub(super) fn say_unit_of_limits(&self) -> bool {
        let has_unit = |at: usize| without_unit(&self.meant[at]).is_some_and(|(_, unit)| unit != NO_UNIT);
        self.form(Limit) != ValueForm::AsItLooks || self.place(Limit).is_some_and(has_unit)
    }

    /// Takes limits for seconds that would be weeks as the minutes of Slurm's data base, most of them.
    pub(super) fn check_minutes(&mut self, rows: &[Vec<Vec<u8>>]) {
        let numbers = |at: usize| rows.iter().filter_map(move |row| digits(whole(row.get(at)?)));
        let are_weeks = |at: usize| 2 * numbers(at).filter(|minutes| *minutes > WEEKS).count() > numbers(at).count();
        if self.foreign_states == ForeignStates::OfSlurm && self.place(Limit).is_some_and(are_weeks) {
            self.limit_unit = 1;
        }
    }

    pub(super) fn limit(&self, field: &[u8]) -> Option<Seconds> {
        if let Some(limit) = self.forms[Limit as usize].seconds(field) {
            return limit;
        }
        match digits(whole(field)) {
            Some(value) => Some(value.saturating_mul(self.limit_unit)),
            None => span(field),
        }
    }
}
