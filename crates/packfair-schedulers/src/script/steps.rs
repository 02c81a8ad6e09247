//! How to write a scheduler as a script, in five steps. The page shows them, and each can be tried.

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What the step is about.
    pub name: &'static str,
    /// The explanation.
    pub help: &'static str,
    /// The script of the step.
    pub text: &'static str,
}

/// All steps.
pub const STEPS: &[Step] = &[
    Step {
        name: "Start what waits.",
        help: "A round is called whenever a job arrives or ends. It goes through who waits, in the order of submission, and starts \
               what fits.",
        text: "fn round(view, actions) {
    for job in view.waiting {
        if !actions.fits(job) {
            return;
        }
        actions.start(job);
    }
}
",
    },
    Step {
        name: "Let others pass.",
        help: "Whoever does not fit is left out instead of ending the round: more is in use, but wide jobs may starve.",
        text: "fn round(view, actions) {
    for job in view.waiting {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Choose an order.",
        help: "The smallest key comes first. A key is made of what is known of a job; constants stand outside functions.",
        text: "const AGE = 0.5;

fn round(view, actions) {
    for job in view.waiting.sort_by(|job| job.estimate - AGE * job.wait) {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Reserve.",
        help: "The profile says when how many processors will be free. Who has a reservation is not delayed by others.",
        text: "fn round(view, actions) {
    let profile = view.profile();
    for job in view.waiting {
        let start = profile.earliest(job);
        profile.reserve(job, start);
        if start <= view.now {
            actions.start(job);
        }
    }
}
",
    },
    Step {
        name: "Remember, and look.",
        help: "What is kept in `this` is there in the next round. What is printed is shown here, with its instant.",
        text: "fn arrived(job, view) {
    if this.longest == () || view.queue_length > this.longest {
        this.longest = view.queue_length;
        print(`${this.longest} jobs wait`);
    }
}

fn round(view, actions) {
    for job in view.waiting {
        if actions.fits(job) {
            actions.start(job);
        }
    }
}
",
    },
];
