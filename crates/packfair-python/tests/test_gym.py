"""Environments for learning agents."""

import pytest

import packfair

gymnasium = pytest.importorskip("gymnasium")
np = pytest.importorskip("numpy")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from packfair.gym import BackfillEnv, BackfillVectorEnv, PickEnv, PickVectorEnv  # noqa: E402

ALL = [
    (BackfillEnv, BackfillVectorEnv, {}),
    (PickEnv, PickVectorEnv, {}),
    (PickEnv, PickVectorEnv, {"backfill": True}),
]


@pytest.fixture(scope="module")
def log():
    return packfair.generate(jobs=1500, procs=128, seed=3)


def first_come(mask, skip):
    """The first that may be chosen; where backfilling is asked for, after the head."""
    mask = mask.copy()
    if skip:
        mask[..., 0] = False
    return mask.argmax(axis=-1)


@pytest.mark.parametrize("single, vector, more", ALL)
@pytest.mark.parametrize("observation", ["log", "rlscheduler"])
def test_gymnasium_finds_nothing_wrong(log, single, vector, more, observation, recwarn):
    env = single(log, jobs=40, slots=16, observation=observation, baseline="easy", **more)
    check_env(env, skip_render_check=True)
    assert [str(warning.message) for warning in recwarn if "gymnasium" in str(warning.filename)] == []
    if observation == "rlscheduler":
        wide = single(log, observation=observation, **more)
        assert wide.reset(seed=1)[0].shape == (128 * 8,)


def test_gymnasium_makes_them(log):
    one = gymnasium.make("packfair/Backfill-v0", log=log, jobs=40)
    assert one.reset(seed=1)[0].shape == (128, 8)
    many = gymnasium.make_vec("packfair/Pick-v0", num_envs=5, vectorization_mode="vector_entry_point", log=log, jobs=40)
    assert many.reset(seed=1)[0].shape == (5, 128, 8)


@pytest.mark.parametrize("single, vector, more", ALL)
def test_who_decides_as_the_built_in_one_gets_its_schedule(log, single, vector, more):
    env = single(log, jobs=1500, slots=1500, **more)
    _, info = env.reset()
    over, value = False, None
    while not over:
        action = first_come(info["action_mask"], single is BackfillEnv)
        _, _, over, _, info = env.step(action)
    built_in = "fcfs" if single is PickEnv and not more else "easy"
    results = packfair.run(log, [built_in], "requested", count="all")
    jobs = results.jobs(results.runs[0])
    assert env.starts() == [int(start) for start in jobs["start"]]
    assert info["metric"] == pytest.approx(results.table(["AF"])["AF"][0], rel=1e-12)


@pytest.mark.parametrize("single, vector, more", ALL)
def test_many_are_each_as_one(log, single, vector, more):
    options = {"jobs": 30, "slots": 16, "reward": "BSLD", "baseline": "easy", **more}
    envs, firsts = vector(log, 4, **options), [0, 100, 700, 1470]
    seen, info = envs.reset(seed=1, options={"first": firsts})
    ones = [single(log, **options) for _ in firsts]
    alone = [env.reset(options={"first": first}) for env, first in zip(ones, firsts)]
    is_over = np.zeros(4, dtype=bool)
    random = np.random.default_rng(7)
    for _ in range(300):
        for env in range(4):
            if not is_over[env]:
                assert np.array_equal(seen[env], alone[env][0])
                assert np.array_equal(info["action_mask"][env], alone[env][-1]["action_mask"])
        actions = random.integers(0, 16, 4)
        before = is_over.copy()
        seen, rewards, over, truncated, info = envs.step(actions)
        for env in range(4):
            if not before[env]:
                alone[env] = ones[env].step(actions[env])
                assert (rewards[env], over[env]) == (alone[env][1], alone[env][2])
                if over[env]:
                    assert info["metric"][env] == alone[env][-1]["metric"]
        is_over |= over
    assert is_over.all()


def test_the_same_seed_is_the_same_episodes(log):
    def course(seed):
        envs = PickVectorEnv(log, 6, jobs=20)
        seen, info = envs.reset(seed=seed)
        told = [seen.copy()]
        for _ in range(90):
            seen, rewards, over, _, info = envs.step(first_come(info["action_mask"], False))
            told += [seen.copy(), rewards.copy(), over.copy()]
        return told

    same = zip(course(3), course(3))
    assert all(np.array_equal(one, other) for one, other in same)
    assert any(not np.array_equal(one, other) for one, other in zip(course(3), course(4)))


def test_episodes_are_of_the_part_that_was_asked_for(log):
    env = BackfillEnv(log, jobs=50, part=(0.5, 0.6))
    firsts = {env.reset(seed=seed)[1]["first"] for seed in range(200)}
    assert min(firsts) >= 750 and max(firsts) <= 850 and len(firsts) > 50
    with pytest.raises(ValueError, match="no episode begins with job 3; it may be 750 to 850"):
        env.reset(options={"first": 3})


def test_a_reward_beside_easy_is_by_what_share_it_is_better(log):
    env = BackfillEnv(log, jobs=200, baseline="easy")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(first_come(info["action_mask"], True))
    assert reward == 0.0 and info["metric"] == info["baseline"]
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(0)
    assert info["metric"] > info["baseline"]
    assert reward == pytest.approx(1 - info["metric"] / info["baseline"])


def test_any_metric_that_has_a_better_side_is_a_reward(log):
    """All that the table has, and the sign that its side asks for."""
    columns = packfair.run(log, "fcfs", "requested").table().columns
    metrics = columns[columns.index("failed") + 1 :]
    rewarded = {}
    for metric in metrics:
        try:
            env = PickEnv(log, jobs=30, reward=metric)
        except ValueError as error:
            assert "neither more nor less of it is better" in str(error)
            continue
        _, info = env.reset(seed=5)
        over = False
        while not over:
            _, reward, over, _, info = env.step(first_come(info["action_mask"], False))
        assert reward in (info["metric"], -info["metric"]) or (reward == 0 and np.isnan(info["metric"]))
        rewarded[metric] = reward
    assert len(rewarded) > 20
    assert rewarded["AF"] < 0 < rewarded["util"] if "util" in rewarded else rewarded["AF"] < 0


@pytest.mark.parametrize(
    "options, said",
    [
        ({"reward": "nothing"}, "nothing"),
        ({"observation": "none"}, "there is no observation none; there are rlscheduler, log"),
        ({"estimates": "last2"}, "last2 learns from the schedule"),
        ({"jobs": 9_000}, "an episode has 9000 jobs, and this part of the log 1500"),
        ({"part": (0.8, 0.2)}, "the part 0.8 to 0.2 of the log is none"),
        ({"slots": 1}, "at least two slots"),
        ({"baseline": "as-logged"}, "the baseline of a reward is a scheduler that decides"),
    ],
)
def test_what_cannot_be_is_said(log, options, said):
    with pytest.raises(ValueError, match=said):
        BackfillEnv(log, **options)
