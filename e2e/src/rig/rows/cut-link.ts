import { findProcess, ownSeconds, waitForProcess } from "../../fixtures/processes.ts"
import { claimByOther, nodesLive, noted, type Row, said, workerOf } from "../round.ts"
import { until } from "../until.ts"

export const cutLink: Row = {
  name: "7",
  about: "the link of a worker to the database is cut",
  expects: { "commands end": "7 s", takeover: "after that, ≤ 30 s" },
  async play(round) {
    const { cluster, mark } = round
    const seconds = ownSeconds(600)
    round.script({
      [`Work ${mark}.`]: [noted(`${mark}-1`, `sleep ${seconds}`), noted(`${mark}-2`), ...said("Done.")],
    })
    const sessionID = await round.begin(cluster.projects.storage)
    await round.prompt(sessionID, `Work ${mark}.`)
    await waitForProcess(["sleep", seconds])
    const worker = await workerOf(round, sessionID)
    const cut = Date.now()
    await worker.room.cut()
    try {
      const ended = until("the command ends", async () => (await findProcess(["sleep", seconds])).length === 0).then(
        () => round.figure("commands end", Date.now() - cut),
      )
      const claim = await claimByOther(round, sessionID, worker)
      const left = await findProcess(["sleep", seconds])
      round.expect(left.length === 0, "the command still ran when another worker began")
      round.figure("takeover", claim.at - cut)
      await ended
      await round.settled(sessionID)
    } finally {
      await worker.room.mend()
    }
    const mended = Date.now()
    await nodesLive(round, 5)
    round.figure("back", Date.now() - mended)
  },
}
