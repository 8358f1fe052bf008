import { ownSeconds } from "../../fixtures/processes.ts"
import { claimByOther, noted, type Row, said, workerOf } from "../round.ts"
import { until } from "../until.ts"

/** How many children run when their worker dies. */
const children = [1, 2, 3]

export const killWorker: Row = {
  name: "5",
  about: "kill -9 of a worker with three running children",
  expects: { takeover: "p95 ≤ 12 s, max ≤ 30 s" },
  async play(round) {
    const { cluster, mark } = round
    const dig = (n: number) => ({
      ...{ tool: "task", args: { description: `dig ${n}`, prompt: `Dig ${mark}-${n}.`, subagent_type: "general" } },
    })
    round.script({ [`Work ${mark}.`]: [{ calls: children.map(dig) }, noted(`${mark}-after`), ...said("Done.")] })
    for (const n of children)
      round.script({ [`Dig ${mark}-${n}.`]: [noted(`${mark}-${n}`, `sleep ${ownSeconds(600)}`), ...said("Dug.")] })
    const sessionID = await round.begin(cluster.projects.storage)
    await round.prompt(sessionID, `Work ${mark}.`)
    await until("three children run", async () => {
      const rows = await round.stored(sessionID)
      const started = rows.filter(
        ({ table, status, session }) => table === "Turn" && status === "running" && session !== sessionID,
      )
      return new Set(started.map(({ id }) => id)).size === children.length
    })
    const worker = await workerOf(round, sessionID)
    const killed = Date.now()
    await worker.server.kill()
    const claim = await claimByOther(round, sessionID, worker)
    round.figure("takeover", claim.at - killed)
    await round.settled(sessionID)
    round.figure("end", Date.now() - killed)
    await worker.server.restart()
    const { tasks } = await cluster.client.session.tree.query({ sessionID })
    const states = tasks.map(({ state }) => state)
    round.expect(
      states.length === children.length && states.every((state) => state === "interrupted"),
      `the children are ${states.join(", ")}`,
    )
    round.count("children", tasks.length)
  },
}
