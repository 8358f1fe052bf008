import { setTimeout as delay } from "node:timers/promises"
import { createGate } from "../../fixtures/gate.ts"
import { claimsOf, noted, type Row, said, workerOf } from "../round.ts"
import { until } from "../until.ts"

const attempts = 3
/** How long a worker has the turn before it dies (ms). */
const mostMs = 500

export const poison: Row = {
  name: "poison",
  about: "a turn kills each worker that runs it",
  async play(round) {
    const { cluster, mark, random } = round
    const never = createGate()
    round.script({
      // The first key that fits counts: the model gets both prompts in one message, as the first one has no answer.
      [`Next ${mark}.`]: [noted(`${mark}-1`), ...said("Next.")],
      [`Poison ${mark}.`]: [{ text: "Never.", gate: never }],
    })
    const sessionID = await round.begin(cluster.projects.storage)
    await round.prompt(sessionID, `Poison ${mark}.`)
    await round.prompt(sessionID, `Next ${mark}.`)
    const began = Date.now()
    const turns = async () => (await round.stored(sessionID)).filter(({ table }) => table === "Turn")
    const claims = async () => claimsOf(await turns()).filter(({ prompt }) => prompt === `Poison ${mark}.`)
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await until(`attempt ${attempt} begins`, async () => (await claims()).length >= attempt)
      const worker = await workerOf(round, sessionID)
      // Anywhere in what it does, until the model would answer.
      await delay(random.between(0, mostMs))
      await worker.server.kill()
      await worker.server.restart()
    }
    await round.settled(sessionID)
    round.figure("next prompt ended", Date.now() - began)
    never.open()
    const times = (await claims()).length
    round.expect(times === attempts, `the poisoned turn was claimed ${times} times`)
    const ended = await turns()
    const how = (prompt: string) => ended.findLast((row) => row.prompt === `${prompt} ${mark}.`)?.status
    round.expect(how("Poison") === "interrupted", `the poisoned turn is ${how("Poison")}`)
    round.expect(how("Next") === "completed", `the next turn is ${how("Next")}`)
    round.count("attempts", times)
  },
}
