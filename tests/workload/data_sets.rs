//! Public data sets: made-up rows in each one's columns, with answers worked out by hand.

use crate::shared;
use packfair::metric::{Measure, Metric};
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute};
use packfair::workload::reading::{Limits, read, read_file};
use packfair::workload::{DATA_SETS, Log, MachineSource, Reason, Record, Unit, Workload, data_set_of};
use std::fs::File;

/// A job as it comes in: number, submission, wait, run, processors, limit, nodes and GPUs; -1 where it is not told.
type Told = (i64, i64, i64, i64, i32, i64, i32, i32);

fn told(log: &Log) -> Vec<Told> {
    let of = |column: &[i32], at: usize| column.get(at).copied().unwrap_or(-1);
    let records = log.records.iter().enumerate();
    let one = |(at, r): (usize, &Record)| {
        let (nodes, gpus) = (of(&log.beyond.nodes, at), of(&log.beyond.gpus, at));
        (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time, nodes, gpus)
    };
    records.map(one).collect()
}

/// Reads a log of a set, and puts it on its machine.
fn of_set(text: &str, id: &str) -> (Log, Workload) {
    let log = read("log", text.as_bytes()).unwrap_or_else(|error| panic!("{id}: {error}"));
    let set = data_set_of(&log.header).unwrap_or_else(|| panic!("{id} is not known"));
    assert_eq!(set.id, id);
    assert_eq!(log.header.get("Acknowledge"), Some(set.cite));
    let workload = Treatment::default().apply(&log).unwrap_or_else(|error| panic!("{id}: {error}"));
    (log, workload)
}

fn machine(workload: &Workload) -> (u32, MachineSource, Unit) {
    (workload.machine.processors, workload.machine.source, workload.counting().unit)
}

#[test]
fn f_data_is_counted_in_nodes_of_fugaku() {
    let (log, workload) = of_set(
        "jid,usr,jnam,cnumr,cnumat,cnumut,nnumr,adt,qdt,sdt,edt,elpl,nnuma,duration,exit state,embedding\n\
         j7,u1,x,48,48,48,1,2022-05-01 09:00:00+09:00,2022-05-01 09:00:01+09:00,2022-05-01 09:01:40+09:00,\
         2022-05-01 10:01:40+09:00,7200.0,1,3600.0,completed,\"[0.1, 0.2]\"\n\
         j8,u2,y,18432,18432,18432,384,2022-05-01 09:00:20+09:00,2022-05-01 09:00:21+09:00,2022-05-01 09:00:30+09:00,\
         2022-05-01 09:10:30+09:00,900.0,384,600.0,failed,[]\n",
        "f-data",
    );
    assert_eq!(told(&log), [(7, 0, 100, 3_600, 48, 7_200, 1, -1), (8, 20, 10, 600, 18_432, 900, 384, -1)]);
    assert_eq!(log.header.unix_start(), Some(1_651_363_200), "midnight in UTC");
    assert_eq!(machine(&workload), (158_976, MachineSource::DataSet, Unit::Nodes));
    assert_eq!(workload.requests()[1].processors, 384);
}

#[test]
fn limits_of_pm100_are_minutes_and_those_of_adastra_seconds() {
    let header = "job_id,submit_time,eligible_time,start_time,end_time,run_time,time_limit,num_nodes_req,num_nodes_alloc,\
                  num_cores_alloc,num_gpus_req,num_gpus_alloc,partition,qos,user_id,group_id,job_state\n";
    let row = |year: u32| {
        format!(
            "{header}11,{year}-11-01 00:00:00+00:00,{year}-11-01 00:00:05+00:00,{year}-11-01 00:01:00+00:00,\
             {year}-11-01 01:01:00+00:00,3600,90,1,2,256,4,8,1,2,10,20,COMPLETED\n"
        )
    };
    let (log, workload) = of_set(&row(2020), "pm100");
    assert_eq!(told(&log), [(11, 0, 60, 3_600, 256, 5_400, 2, 8)]);
    assert_eq!(log.beyond.eligible, [5]);
    assert_eq!(workload.machine.source, MachineSource::DataSet);
    let (log, workload) = of_set(&row(2024), "adastra");
    assert_eq!(told(&log)[0].5, 90);
    assert_eq!(machine(&workload), (356, MachineSource::DataSet, Unit::Nodes));
}

/// The energy of the jobs of a workload, kWh.
fn energy_of_jobs(workload: &Workload) -> f64 {
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let result = execute(&run, workload, Correction::Request, &Measure::default()).unwrap();
    result.report.values[&Metric::EnergyOfJobs]
}

#[test]
fn the_energy_of_f_data_and_pm100_comes_out_as_logged() {
    // energies are Wh, and powers W, of all nodes of a job
    let (_, workload) = of_set(
        "jid,usr,cnumr,cnumat,nnumr,adt,sdt,edt,elpl,nnuma,duration,econ,avgpcon,minpcon,maxpcon\n\
         j1,u1,96,96,2,2022-05-01 09:00:00+09:00,2022-05-01 09:01:40+09:00,2022-05-01 09:31:40+09:00,3600.0,2,1800.0,\
         100.0,200.0,180.0,240.0\n\
         j2,u2,18432,18432,384,2022-05-01 09:00:20+09:00,2022-05-01 09:00:30+09:00,2022-05-01 09:10:30+09:00,900.0,384,\
         600.0,6400.0,38400.5,100.0,50000.0\n",
        "f-data",
    );
    let logged = (100.0 + 6_400.0) / 1_000.0;
    assert!((energy_of_jobs(&workload) / logged - 1.0).abs() < 0.001);
    // of a table without the mean, and of a row without it, the energy counts
    for text in [
        "jid,usr,cnumr,cnumat,nnumr,adt,sdt,edt,elpl,nnuma,duration,econ\n\
         j1,u1,96,96,2,2022-05-01 09:00:00+09:00,2022-05-01 09:01:40+09:00,2022-05-01 09:31:40+09:00,3600.0,2,1800.0,100.0\n\
         j2,u2,18432,18432,384,2022-05-01 09:00:20+09:00,2022-05-01 09:00:30+09:00,2022-05-01 09:10:30+09:00,900.0,384,\
         600.0,6400.0\n",
        "jid,usr,cnumr,cnumat,nnumr,adt,sdt,edt,elpl,nnuma,duration,econ,avgpcon\n\
         j1,u1,96,96,2,2022-05-01 09:00:00+09:00,2022-05-01 09:01:40+09:00,2022-05-01 09:31:40+09:00,3600.0,2,1800.0,\
         100.0,\n\
         j2,u2,18432,18432,384,2022-05-01 09:00:20+09:00,2022-05-01 09:00:30+09:00,2022-05-01 09:10:30+09:00,900.0,384,\
         600.0,0.5,38400.0\n",
    ] {
        let (_, workload) = of_set(text, "f-data");
        assert!((energy_of_jobs(&workload) / logged - 1.0).abs() < 1e-6, "{text}");
    }
    // samples are W of a node
    let (_, workload) = of_set(
        "job_id,submit_time,eligible_time,start_time,end_time,run_time,time_limit,num_nodes_req,num_nodes_alloc,\
         num_cores_alloc,num_gpus_req,num_gpus_alloc,partition,qos,user_id,group_id,job_state,power_consumption\n\
         11,2020-11-01 00:00:00+00:00,2020-11-01 00:00:05+00:00,2020-11-01 00:01:00+00:00,2020-11-01 01:01:00+00:00,3600,\
         90,1,2,256,4,8,1,2,10,20,COMPLETED,\"[700, 800, 900]\"\n",
        "pm100",
    );
    assert!((energy_of_jobs(&workload) / 1.6 - 1.0).abs() < 1e-9, "two nodes at 800 W for an hour");
}

#[test]
fn widths_of_kestrel_are_those_used_and_of_eagle_those_requested() {
    let (log, workload) = of_set(
        "job_id,user,account,partition,qos,submit_time,start_time,end_time,state,nodes_req,nodes_used,processors_req,\
         processors_used,gpus_req,wallclock_req,wallclock_used,name\n\
         5,h1,a1,short,normal,2024-02-01 10:00:00,2024-02-01 10:30:00,2024-02-01 12:30:00,COMPLETED,1,2,104,208,0,04:00:00,\
         02:00:00,n\n6,h2,a1,shared,high,2024-02-01 10:00:30,2024-02-01 10:30:30,2024-02-01 11:30:30,FAILED,1,1,8,8,0,\
         1-00:00:00,01:00:00,n\n",
        "kestrel",
    );
    assert_eq!(told(&log), [(5, 0, 1_800, 7_200, 208, 14_400, 2, -1), (6, 30, 1_800, 3_600, 8, 86_400, 1, -1)]);
    assert_eq!(workload.machine.source, MachineSource::DataSet);
    let (log, workload) = of_set(
        "job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,submit_time,start_time,\
         end_time,run_time,name,state\n\
         9,u,a,standard,normal,7200,1,36,0,0,2021-03-01 00:00:00,2021-03-01 00:10:00,2021-03-01 00:40:00,1800,n,COMPLETED\n\
         10,u,a,standard,normal,7200,1,1,0,0,2021-03-01 00:00:01,2021-03-01 00:10:00,2021-03-01 00:40:00,1800,n,TIMEOUT\n",
        "eagle",
    );
    assert_eq!(told(&log)[0], (9, 0, 600, 1_800, 36, 7_200, 1, -1));
    assert_eq!(machine(&workload), (94_248, MachineSource::DataSet, Unit::Processors));
}

#[test]
fn mit_supercloud_has_limits_in_minutes_numbers_for_states_and_gpus_by_type() {
    let (log, workload) = of_set(
        "id_job,id_array_job,id_user,nodes_alloc,nodelist,cpus_req,state,timelimit,time_submit,time_eligible,time_start,\
         time_end,partition,tres_alloc\n\
         71,0,3,1,\"['r1-n2']\",20,3,60,1621600000,1621600000,1621600060,1621603660,xeon-g6-volta,\"1=20,2=170000,4=1,1002=2\"\n\
         72,0,3,2,\"['r1', 'r2']\",96,6,4294967295,1621600100,1621600100,1621600130,1621600430,xeon-p8,\"1=96,4=2\"\n\
         73,0,4,1,[],40,4,5,1621600200,1621600200,0,1621600300,xeon-p8,\"\"\n\
         74,0,4,0,[],40,0,5,1621600300,1621600300,0,0,xeon-p8,\"\"\n",
        "mit-supercloud",
    );
    let expected = [
        (71, 0, 60, 3_600, 20, 3_600, 1, 2),
        (72, 100, 30, 300, 96, -1, 2, 0),
        // cancelled before it started, and one that still waits
        (73, 200, -1, -1, 40, 300, 1, 0),
    ];
    assert_eq!(told(&log), expected);
    assert_eq!(log.account.count(Reason::NotStarted), 1);
    assert_eq!((workload.len(), machine(&workload)), (2, (32_000, MachineSource::DataSet, Unit::Processors)));
}

#[test]
fn another_site_s_data_base_is_not_mit_supercloud_s() {
    let names = "id_job,id_array_job,id_user,nodes_alloc,nodelist,cpus_req,state,timelimit,time_submit,time_eligible,\
                 time_start,time_end,partition,tres_alloc";
    let row = "71,0,3,1,node001,20,3,60,1621600000,1621600000,1621600060,1621603660,batch,\"1=20,2=170000,4=1\"";
    for text in [format!("{names}\n{row}\n"), format!("job_db_inx,{names}\n9,{row}\n")] {
        let log = read("log", text.as_bytes()).unwrap();
        assert!(data_set_of(&log.header).is_none());
        let first = &log.records[0];
        assert_eq!((first.wait, first.run, first.requested, first.requested_time), (60, 3_600, 20, 3_600));
    }
}

#[test]
fn lassen_is_counted_in_nodes_and_its_limits_are_seconds() {
    let (log, workload) = of_set(
        "primary_job_id,secondary_job_id,allocation_id,num_nodes,num_processors,num_gpus,state,hashed_user_id,\
         hashed_user_group_id,job_submit_time,queue,begin_time,end_time,exit_status,time_limit\n\
         3,0,900,4,176,16,running,u1,g1,2019-08-22 09:00:00.0,pbatch,2019-08-22 10:00:00.123456,2019-08-22 11:00:00.654321,\
         0,43200\n4,0,901,1,44,4,running,u2,g1,2019-08-22 09:00:10,pdebug,2019-08-22 09:00:15,2019-08-22 09:30:15,1,7200\n",
        "lassen",
    );
    assert_eq!(told(&log), [(3, 0, 3_600, 3_600, 176, 43_200, 4, 16), (4, 10, 5, 1_800, 44, 7_200, 1, 4)]);
    assert_eq!(machine(&workload), (792, MachineSource::DataSet, Unit::Nodes));
}

#[test]
fn the_machine_of_an_alcf_composite_is_that_of_its_rows() {
    let text = |machine: &str| {
        format!(
            "\"JOB_NAME\",\"COBALT_JOBID\",\"MACHINE_NAME\",\"QUEUED_TIMESTAMP\",\"START_TIMESTAMP\",\"END_TIMESTAMP\",\
             \"USERNAME_GENID\",\"PROJECT_NAME_GENID\",\"QUEUE_NAME\",\"WALLTIME_SECONDS\",\"RUNTIME_SECONDS\",\"NODES_USED\",\
             \"CORES_USED\",\"EXIT_STATUS\"\n\"8.0\",\"8\",\"{machine}\",\"2021-01-01 00:00:00.000000\",\
             \"2021-01-01 00:05:00.000000\",\"2021-01-01 01:05:00.000000\",\"1\",\"2\",\"default\",\"7200.0\",\"3600.0\",\
             \"256.0\",\"16384.0\",\"0.0\"\n"
        )
    };
    let (log, workload) = of_set(&text("theta"), "theta");
    assert_eq!(told(&log), [(8, 0, 300, 3_600, 16_384, 7_200, 256, -1)]);
    assert_eq!(machine(&workload), (4_392, MachineSource::DataSet, Unit::Nodes));
    assert_eq!(machine(&of_set(&text("Mira"), "mira").1).0, 49_152);
    assert_eq!(machine(&of_set(&text("polaris"), "polaris").1).0, 560);
    let (_, other) = of_set(&text("cooley"), "alcf");
    assert_eq!(machine(&other).2, Unit::Nodes);
    assert_ne!(other.machine.source, MachineSource::DataSet, "its machine is not known");
}

#[test]
fn clusters_that_train_networks_are_counted_in_gpus_and_their_queue_is_a_wait() {
    let (log, workload) = of_set(
        "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n\
         1,u1,vcA,8,64,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:05,2020-04-01 01:00:05,3600,5\n\
         2,u2,vcB,0,16,1,FAILED,2020-04-01 00:00:10,2020-04-01 00:00:10,2020-04-01 00:10:10,600,0\n\
         3,u2,vcB,16,128,2,CANCELLED,2020-04-01 00:00:20,2020-04-01 00:30:20,2020-04-01 00:40:20,600,1800\n",
        "helios",
    );
    assert_eq!(told(&log).iter().map(|job| (job.2, job.7)).collect::<Vec<_>>(), [(5, 8), (0, 0), (1_800, 16)]);
    assert!(log.names.queues.is_empty() && log.names.groups == ["vcA", "vcB"]);
    assert_eq!((workload.len(), workload.counting().unit), (2, Unit::Gpus));
    assert_eq!(workload.machine.processors, 24, "eight and sixteen at once");
    let columns =
        "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time";
    let row = "5,u,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936";
    let (log, seren) = of_set(&format!("{columns}\n{row}\n"), "acme-seren");
    assert_eq!(told(&log), [(5, 0, 32, 117, 128, -1, 1, 8)]);
    assert_eq!(machine(&seren), (2_288, MachineSource::DataSet, Unit::Gpus));
    let kalos =
        format!("{columns}\n{row}\n").replace("cpu_num,", "cpu_num,mem_per_pod_GB,").replace(",128,", ",128,1000,");
    assert_eq!(machine(&of_set(&kalos, "acme-kalos").1).0, 2_416);
}

#[test]
fn attempts_of_philly_are_executions() {
    let (log, workload) = of_set(
        r#"[
 {"status": "Pass", "vc": "v1", "jobid": "application_1_21", "attempts": [
   {"start_time": "2017-10-07 01:00:30", "end_time": "2017-10-07 02:00:30",
    "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu0", "gpu1"]}]}],
  "submitted_time": "2017-10-07 01:00:00", "user": "a"},
 {"status": "Killed", "vc": "v1", "jobid": "application_1_22", "attempts": [
   {"start_time": "2017-10-07 01:01:00", "end_time": "2017-10-07 01:11:00", "detail": [{"ip": "m3", "gpus": ["gpu4"]}]},
   {"start_time": "2017-10-07 01:16:00", "end_time": "2017-10-07 01:36:00", "detail": [{"ip": "m4", "gpus": ["gpu4"]}]}],
  "submitted_time": "2017-10-07 01:00:10", "user": "b"},
 {"status": "Failed", "vc": "v2", "jobid": "application_1_23", "attempts": [], "submitted_time": "2017-10-07 01:00:20",
  "user": "b"},
 {"status": "Pass", "vc": "v2", "jobid": "application_1_24", "attempts": [{"start_time": "None", "end_time": null,
  "detail": []}], "submitted_time": null, "user": "b"}
]"#,
        "philly",
    );
    let expected = [
        (21, 0, 30, 3_600, 4, -1, 2, 4),
        (22, 10, 50, 600, 1, -1, 1, 1),
        // the second attempt waits since the first one ended
        (22, 660, 300, 1_200, 1, -1, 1, 1),
        // never started
        (23, 20, -1, -1, -1, -1, -1, 0),
    ];
    assert_eq!(told(&log), expected);
    assert_eq!(log.records.iter().map(|record| record.status).collect::<Vec<_>>(), [1, 0, 5, 0]);
    assert_eq!(log.names.groups, ["v1", "v2"]);
    assert_eq!((workload.len(), workload.counting().unit), (3, Unit::Gpus));
}

#[test]
fn sets_as_they_are_go_from_the_file_to_a_workload() {
    let Some(folder) = shared::folder() else { return };
    let Ok(entries) = std::fs::read_dir(folder.join("samples/doors/sets")) else { return shared::skipped() };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let log = read_file(name.clone(), File::open(&path).unwrap(), Limits::default());
        let log = log.unwrap_or_else(|error| panic!("{name}: {error}"));
        let set = data_set_of(&log.header).unwrap_or_else(|| panic!("{name} is not known"));
        assert!(DATA_SETS.iter().any(|known| known.id == set.id));
        let workload = Treatment::default().apply(&log).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!workload.is_empty() && log.records.len() >= 2, "{name}");
    }
}
