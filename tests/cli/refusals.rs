//! Bad input: one clear message, and the exit code 2.

use crate::program::{Folder, log, packfair, refusal, text, with_input};

#[test]
fn bad_input_is_refused_with_one_clear_message() {
    let folder = Folder::new("bad");
    let log = folder.write("log.swf", &log());
    let run = |more: &[&str]| packfair(&[&["run", &log], more].concat());
    let both = ["-s", "easy", "-e", "actual"];
    let refused = |more: &[&str]| refusal(&run(&[&both[..], more].concat())).to_owned();

    assert!(
        refusal(&run(&["-s", "easyy", "-e", "actual"])).contains("there is no scheduler \"easyy\"; there are fcfs,")
    );
    assert!(refusal(&run(&["-s", "list:depth=0", "-e", "actual"])).contains("it takes a whole number from 1"));
    assert!(refusal(&run(&["-s", "easy", "-e", "actual*99"])).contains("it takes a number from 0.1 to 10"));
    assert!(refused(&["--k", "99"]).contains("a factor k is 99; it must be from 0.1 to 10"));
    assert!(refused(&["--shrink", "NaN"]).contains("it takes a number from 0.05 to 20"));
    assert!(refused(&["--correction", "kill"]).contains("there are request, incremental, doubling"));
    assert!(refused(&["--count", "some"]).contains("there are all, metrics, steady"));
    assert!(refused(&["--columns", "AF,XX"]).contains("there is no metric \"XX\""));
    assert!(refused(&["--procs", "0"]).contains("0"));
    assert!(refused(&["--baseline", "fcfs"]).contains("the baseline fcfs with actual is not among the runs"));
    assert!(refused(&["--baseline", "fcf"]).contains("there is no scheduler \"fcf\""));

    let missing = folder.path("missing.swf");
    assert!(refusal(&packfair(&["run", &missing, "-s", "easy", "-e", "actual"])).contains("there is no file "));
    let empty = folder.write("empty.swf", b"");
    assert!(refusal(&packfair(&["summary", &empty])).contains("empty.swf: the file is empty"));
    let study = folder.write("study.json", b"{\"packfair\": 1,\n\"study\": {\"schedulers\": [\"x\"]}}");
    assert!(refusal(&packfair(&["study", &study, &log])).contains("study.json: line 2, column "));
    assert!(refusal(&packfair(&["generate", "lublin", "--jobs", "0", "--procs", "5"])).contains("--jobs 0: it takes"));
    let one = folder.write("one.swf", b"; Version: 2.2\n1 0 0 10 1 -1 -1 1 10\n2 60 0 10 1 -1 -1 1 10\n");
    let like = |more: &[&str]| packfair(&[&["generate", "like", &one, "--jobs", "9"], more].concat());
    assert!(refusal(&like(&[])).contains("have 1 different values above 0 s; a Weibull law"));
    assert!(refusal(&like(&["--alpha", "0"])).contains("it takes a number from 0.05 to 20"));
    assert!(refusal(&like(&["--p0", "2"])).contains("it takes a number from 0 to 1"));
    assert!(refusal(&run(&["-s", "dynp-basic:lower=9500", "-e", "actual"])).contains("from 9500, which is lower"));
    assert!(refusal(&run(&["-s", "dynp:policies=", "-e", "actual"])).contains("all, or some of fcfs"));
    assert!(!refused(&["--k", "99"]).contains("panicked"));
}

#[test]
fn what_comes_beside_a_log_and_on_standard_input_has_limits() {
    let folder = Folder::new("limits");
    let large = folder.write("study.json", &vec![b' '; 10_000_001]);
    assert!(refusal(&packfair(&["study", &large])).contains("it has more than"));
    let log = folder.write("log.swf", b"; MaxProcs: 4\n1 0 0 50 4 -1 -1 4 60 -1 1\n");
    let estimates = folder.write("estimates.csv", &vec![b'1'; 2_001]);
    let arguments = ["run", &log, "-s", "easy", "--estimates", &estimates, "--max-text", "2000"];
    assert!(refusal(&packfair(&arguments)).contains("it has more than"));
    // a file of one byte less is read, and refused for its content
    let estimates = folder.write("estimates.csv", &vec![b'1'; 2_000]);
    let arguments = ["run", &log, "-s", "easy", "--estimates", &estimates, "--max-text", "2000"];
    assert!(refusal(&packfair(&arguments)).contains("no estimates of jobs"));
    // a sparse file takes no room on the disk
    let machine = folder.path("machine.toml");
    let file = std::fs::File::create(&machine).expect("a file");
    file.set_len(500_000_001).expect("a hole");
    let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--machine", &machine];
    assert!(refusal(&packfair(&arguments)).contains("it has more than 500,000,000 bytes"));
    let prices = folder.path("prices.csv");
    std::fs::File::create(&prices).and_then(|file| file.set_len(20_000_001)).expect("a hole");
    let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--prices", &prices];
    assert!(refusal(&packfair(&arguments)).contains("it has more than 20,000,000 bytes"));
    let archive = [b"PK\x03\x04".as_slice(), &[0; 3_000]].concat();
    let output = with_input(&["run", "-", "-s", "easy", "-e", "requested", "--max-text", "2000"], &archive);
    assert!(refusal(&output).contains("raise the limit with --max-text"), "{}", text(&output.stderr));
}
