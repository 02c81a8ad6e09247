//! Logs to drop: a good one that is made here, a real one if it is available, and bad ones of every kind.

use flate2::Compression;
use flate2::write::GzEncoder;
use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

/// The number of processors of the logs made here.
const PROCESSORS: u32 = 128;

/// A log of `jobs` jobs, the same every time, with enough load that jobs wait.
pub fn made(jobs: usize) -> PathBuf {
    write(&format!("made-{jobs}.swf"), made_text(jobs).as_bytes())
}

/// The same jobs in a log that also tells waits: each job starts a while after its submission, whatever else runs.
pub fn made_with_waits(jobs: usize) -> PathBuf {
    let told = |(n, line): (usize, &str)| {
        let mut fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if !line.starts_with(';') {
            fields[2] = (n * 37 % 5_000).to_string();
        }
        fields.join(" ") + "\n"
    };
    let text: String = made_text(jobs).lines().enumerate().map(told).collect();
    write(&format!("made-with-waits-{jobs}.swf"), text.as_bytes())
}

/// A log of 140 days on 10 processors. On each a long and a short job wait for a third, so that shortest first is surely
/// better.
pub fn surely_better() -> PathBuf {
    let mut text = String::from("; MaxProcs: 10\n");
    let mut number = 0;
    for day in 0..140 {
        let (begin, long, short) = (day * 86_400, 18_000 + day * 7_919 % 18_000, 30 + day * 31 % 60);
        let waiting = [(begin, 3_600, 10, 1), (begin + 60, long, 10, 1), (begin + 120, short, 10, 1)];
        let alone = (0..6).map(|other| (begin + 50_000 + 60 * other, 5, 1, 2 + other % 5));
        for (submit, run, width, user) in waiting.into_iter().chain(alone) {
            number += 1;
            // writing to a string cannot fail
            let _ =
                writeln!(text, "{number} {submit} -1 {run} {width} -1 -1 {width} {run} -1 1 {user} -1 -1 -1 -1 -1 -1");
        }
    }
    write("surely-better.swf", text.as_bytes())
}

/// The log of KTH's SP2, if the project's data is available.
pub fn real() -> Option<PathBuf> {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/traces/KTH-SP2.swf.gz"));
    // the browser takes no paths with .. in them
    let file = file.canonicalize().ok();
    if file.is_none() {
        println!("skipped: no ../shared");
    }
    file
}

/// A log that a browser takes noticeable time to store.
pub fn large() -> PathBuf {
    made(160_000)
}

/// The text of a log of `jobs` jobs.
pub fn text(jobs: usize) -> String {
    made_text(jobs)
}

/// A zip archive with a log in it, among other things.
pub fn zipped(jobs: usize) -> PathBuf {
    let log = made_text(jobs);
    write(
        &format!("zipped-{jobs}.zip"),
        &zip(&[("README.txt", b"A log.\n"), (&format!("logs/inner-{jobs}.swf"), log.as_bytes())]),
    )
}

/// A zip archive with no log in it.
pub fn zip_without_log() -> PathBuf {
    write("letters.zip", &zip(&[("first.md", b"Dear all,\n"), ("second.md", b"Dear all,\n")]))
}

/// A zip archive whose log is marked as encrypted.
pub fn zip_encrypted() -> PathBuf {
    let mut bytes = zip(&[("secret.swf", made_text(10).as_bytes())]);
    let list = memchr::memmem::rfind(&bytes, b"PK\x01\x02").expect("an archive has a list of files");
    bytes[list + 8] |= 1;
    write("encrypted.zip", &bytes)
}

/// A zip archive that a broken download has cut off.
pub fn zip_cut_off() -> PathBuf {
    let bytes = zip(&[("whole.swf", made_text(2_000).as_bytes())]);
    write("cut-off.zip", &bytes[..bytes.len() / 2])
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a Vec takes all");
        archive.write_all(content).expect("a Vec takes all");
    }
    archive.finish().expect("a Vec takes all").into_inner()
}

/// A file of no bytes.
pub fn empty() -> PathBuf {
    write("empty.swf", b"")
}

/// Bytes that no text has.
pub fn binary() -> PathBuf {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    write("binary.swf", &std::array::from_fn::<u8, 100_000, _>(|_| random.random()))
}

/// A gzipped log that a broken download has cut off.
pub fn cut_off() -> PathBuf {
    let whole = gzip(made_text(2_000).as_bytes());
    write("cut-off.swf.gz", &whole[..whole.len() / 2])
}

/// A gigabyte of spaces, in a megabyte of gzip.
pub fn spaces() -> PathBuf {
    let file = folder().join("spaces.swf.gz");
    let mut gzip = GzEncoder::new(File::create(&file).expect("the test folder can be written to"), Compression::fast());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..1 << 10 {
        gzip.write_all(&spaces).expect("the test folder can be written to");
    }
    gzip.finish().expect("the test folder can be written to");
    file
}

/// A gigabyte of zero bytes, which takes no room on a disk.
pub fn zeros() -> PathBuf {
    let file = folder().join("zeros.swf");
    File::create(&file).and_then(|file| file.set_len(1 << 30)).expect("the file system has sparse files");
    file
}

/// A log in which no job ever ran.
pub fn no_usable_job() -> PathBuf {
    let jobs =
        (1..=20).map(|job| format!("{job} {job}00 -1 -1 -1 -1 -1 4 3600 -1 0 1 1 -1 1 -1 -1 -1\n")).collect::<String>();
    write("no-usable-job.swf", format!("; MaxProcs: 64\n{jobs}").as_bytes())
}

/// A good log whose comments try to run scripts in the page that shows them.
pub fn with_scripts() -> PathBuf {
    let header = "; Computer: <script>window.intruder = 1</script>\n\
                  ; Installation: <img src=x onerror=\"window.intruder = 2\">\n\
                  ; Note: <svg onload=\"window.intruder = 3\"> \"><script>window.intruder = 4</script>\n\
                  ; Queue: 1 <iframe srcdoc=\"<script>parent.intruder = 5</script>\">\n";
    write("<img src=x onerror=window.intruder=6>.swf", format!("{header}{}", made_text(500)).as_bytes())
}

/// A saved study.
pub fn study(name: &str, text: &str) -> PathBuf {
    write(name, text.as_bytes())
}

/// Twenty million equal jobs, which gzip makes very small.
pub fn job_bomb() -> PathBuf {
    let jobs = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n".repeat(10_000);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..2_000 {
        // compressing into a Vec does not fail
        let _ = gzip.write_all(jobs.as_bytes());
    }
    write("bomb.swf.gz", &gzip.finish().expect("a Vec takes all"))
}

/// Ten jobs of 4 processors each, all submitted at once to a machine of 4.
pub fn overfull() -> PathBuf {
    let jobs = (1..=10).map(|job| format!("{job} 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n")).collect::<String>();
    write("over.swf", format!("; MaxProcs: 4\n{jobs}").as_bytes())
}

fn made_text(jobs: usize) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(jobs as u64);
    let mut log = format!("; Computer: Made for tests\n; UnixStartTime: 946684800\n; MaxProcs: {PROCESSORS}\n");
    let mut submit = 0;
    for job in 1..=jobs {
        submit += random.random_range(0..900);
        let processors = 1 << random.random_range(0..7);
        let run = f64::exp(random.random_range(2.0..9.5)) as i64;
        let requested = 300 * (1 + (run as f64 * random.random_range(1.0..8.0)) as i64 / 300);
        let user = random.random_range(1..20);
        // writing to a String cannot fail
        let _ = writeln!(
            log,
            "{job} {submit} -1 {run} {processors} -1 -1 {processors} {requested} -1 1 {user} 1 -1 1 -1 -1 -1"
        );
    }
    log
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    // nor can compressing into a Vec
    let _ = gzip.write_all(content);
    gzip.finish().expect("a Vec takes all")
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("logs");
    fs::create_dir_all(&folder).expect("the test folder can be written to");
    folder
}

/// Writes a file with this content, to be dropped.
pub fn write(name: &str, content: &[u8]) -> PathBuf {
    let file = folder().join(name);
    // a browser does not read a file that has changed since it was chosen, and other scenarios choose this one too
    if fs::read(&file).is_ok_and(|there| there == content) {
        return file;
    }
    // tests run side by side, so the file must appear complete
    let part = folder().join(format!("{name}.{:?}", std::thread::current().id()));
    fs::write(&part, content).and_then(|()| fs::rename(&part, &file)).expect("the test folder can be written to");
    file
}
