import { findProcess, ownSeconds, waitForProcess } from "../../fixtures/processes.ts"
import { claimByOther, nodesLive, noted, type Row, said, workerOf } from "../round.ts"
import { until } from "../until.ts"

export const freezeWorker: Row = {
  name: "6",
  about: "SIGSTOP of a worker until another one has done its work, then SIGCONT",
  expects: { takeover: "p95 ≤ 12 s, max ≤ 30 s", "commands end": "≤ 5 s" },
  async play(round) {
    const { cluster, mark } = round
    const seconds = ownSeconds(600)
    round.script({
      [`Work ${mark}.`]: [noted(`${mark}-1`, `sleep ${seconds}`), noted(`${mark}-2`), ...said("Done.")],
      [`Next ${mark}.`]: [noted(`${mark}-3`), ...said("Next.")],
    })
    const sessionID = await round.begin(cluster.projects.storage)
    await round.prompt(sessionID, `Work ${mark}.`)
    await waitForProcess(["sleep", seconds])
    const worker = await workerOf(round, sessionID)
    const frozen = Date.now()
    worker.server.freeze()
    try {
      const claim = await claimByOther(round, sessionID, worker)
      round.figure("takeover", claim.at - frozen)
      await round.settled(sessionID)
    } finally {
      worker.server.thaw()
    }
    const thawed = Date.now()
    await until("the old command ends", async () => (await findProcess(["sleep", seconds])).length === 0)
    round.figure("commands end", Date.now() - thawed)
    await nodesLive(round, 5)
    // What the old worker still had in hand has had its chance; now either may get this.
    await round.prompt(sessionID, `Next ${mark}.`)
    await round.settled(sessionID)
  },
}
