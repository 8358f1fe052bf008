import { noted, type Round, type Row, said } from "../round.ts"
import { until } from "../until.ts"

const schedules = 6
/** How long after the start of the round they are due (ms). */
const dueInMs = 1_500

export const fireSchedules: Row = {
  name: "schedules",
  about: "schedules are due together, on hosts with wrong clocks, and in some rounds a worker dies then",
  expects: { "run begins": "≤ 12 s after a death" },
  async play(round) {
    const { cluster, mark, random } = round
    const { client, projects, storage } = cluster
    const ids: string[] = []
    for (let at = 0; at < schedules; at++) {
      round.script({ [`Say ${mark}-${at}.`]: [noted(`${mark}-${at}`), ...said(`Said ${at}.`)] })
      const projectID = at % 3 === 2 ? projects.lone.id : projects.storage.id
      const message = `Say ${mark}-${at}.`
      const made = await until("the schedule is made", () =>
        client.schedule.create.mutate({ projectID, when: "in 60 minutes", message }).catch(() => null),
      )
      ids.push(made.id)
    }
    const dueAt = await makeDue(round, ids)
    const dying = random.one([null, null, ...storage])
    if (dying) {
      await until("they are due", () => Date.now() >= dueAt)
      await dying.server.kill()
      round.count("deaths")
    }
    const runsOf = async (schedule: string) => (await client.schedule.runs.query({ schedule })) ?? []
    for (const id of ids) {
      const run = await until("the run ends", async () => {
        const [newest] = await runsOf(id).catch(() => [])
        return newest?.completedAt ? newest : null
      })
      round.figure("run begins", run.startedAt - dueAt)
    }
    if (dying) await dying.server.restart()
    for (const id of ids) {
      const runs = await runsOf(id)
      round.expect(runs.length === 1 && runs[0]?.dueAt === dueAt, `${id} has the runs ${JSON.stringify(runs)}`)
      round.count("runs", runs.length)
      await client.schedule.remove.mutate({ schedule: id })
    }
  },
}

/** Schedules are due after a minute at the earliest: this sets their rows. Resolves with when they are due (epoch ms). */
async function makeDue({ cluster }: Round, ids: readonly string[]): Promise<number> {
  const dueAt = Math.round(Date.now() + dueInMs)
  const list = ids.map((id) => `'${id}'`).join(", ")
  await cluster.postgres.execute(
    `UPDATE "Schedule" SET "nextFireAt" = ${dueAt}, data = jsonb_set(data::jsonb, '{nextFireAt}', '${dueAt}')::text WHERE id IN (${list})`,
  )
  return dueAt
}
