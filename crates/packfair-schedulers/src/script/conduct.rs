//! What a person's own scheduler does to a run, in whatever language it is written, and whether it goes on for ever.

use super::limits::MOST_KILLS;
use super::shared::ScriptDecision;
use packfair_engine::model::{Actions, Token};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conduct {
    /// The number of rounds in a row in which nothing has happened.
    quiet: u32,
    kills: u64,
    arrived: u64,
}

impl Conduct {
    pub(super) fn kills(self) -> u64 {
        self.kills
    }

    pub(super) fn something_happens(&mut self) {
        self.quiet = 0;
    }

    pub(super) fn arrived(&mut self) {
        self.something_happens();
        self.arrived += 1;
    }

    /// Carries out what was decided in a round.
    ///
    /// # Errors
    /// Rounds or kills come to no end.
    pub(super) fn carry_out(
        &mut self,
        answer: ScriptDecision,
        kept: &mut FxHashMap<u32, f64>,
        actions: &mut Actions,
        most_quiet: u32,
    ) -> Result<(), String> {
        let is_quiet = answer.starts.is_empty() && answer.kills.is_empty();
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        self.kills += answer.kills.len() as u64;
        for (job, placement) in answer.starts {
            kept.remove(&job.job.0);
            actions.start_on(job, Token::default(), placement);
        }
        answer.kills.into_iter().for_each(|job| actions.kill(job));
        answer.notes.into_iter().for_each(|(note, job, value)| actions.note(note, job, value));
        if let Some(at) = answer.wake {
            actions.wake_at(at);
        }
        if self.quiet > most_quiet {
            return Err(format!("it has asked to be called again {most_quiet} times while nothing happened"));
        }
        if self.kills > MOST_KILLS * self.arrived {
            return Err(format!("it has killed more than {MOST_KILLS} times as many jobs as there are"));
        }
        Ok(())
    }
}
