import { createDocketClient } from "@docket/client"
import { ownSeconds, waitForProcess } from "../../fixtures/processes.ts"
import { claimsOf, noted, type Row, said } from "../round.ts"
import { until } from "../until.ts"

export const loseHost: Row = {
  name: "host",
  about: "the only host with a project's files dies, and comes back",
  expects: { "waits for the host": "15 s" },
  async play(round) {
    const { cluster, mark } = round
    const { lone, projects, web } = cluster
    const seconds = ownSeconds(600)
    round.script({
      [`Work ${mark}.`]: [noted(`${mark}-1`, `sleep ${seconds}`), noted(`${mark}-2`), ...said("Done.")],
      [`Next ${mark}.`]: [noted(`${mark}-3`), ...said("Next.")],
    })
    const sessionID = await round.begin(projects.lone)
    await round.prompt(sessionID, `Work ${mark}.`)
    await waitForProcess(["sleep", seconds])
    const killed = Date.now()
    await lone.server.kill()
    await round.prompt(sessionID, `Next ${mark}.`)
    for (const node of web) {
      const client = createDocketClient({ url: cluster.urlOf(node), token: cluster.token })
      const queue = await until(`${node.name} says that the tree waits for its host`, async () =>
        (await client.nodes.list.query()).queues.find(({ isServed }) => !isServed),
      )
      round.figure("waits for the host", Date.now() - killed)
      round.expect(queue.place.startsWith("host:") && queue.waiting >= 1, `${queue.waiting} wait at ${queue.place}`)
      const refusal = await client.project.files.query({ projectID: projects.lone.id, query: "" }).then(
        () => "nothing",
        (error: Error) => error.message,
      )
      round.expect(refusal.includes(queue.name), `files are refused with: ${refusal}`)
    }
    const back = Date.now()
    await lone.server.restart()
    await round.settled(sessionID)
    round.figure("goes on", Date.now() - back)
    const claims = claimsOf(await round.stored(sessionID))
    const strangers = claims.filter(({ host }) => host !== lone.room.address)
    round.expect(
      strangers.length === 0,
      `${strangers.map(({ host }) => host).join(", ")} claimed a turn without its files`,
    )
    round.count("claims", claims.length)
  },
}
