import { ownSeconds } from "../../fixtures/processes.ts"
import { claimByOther, noted, type Round, type Row, said, workerOf } from "../round.ts"
import { until } from "../until.ts"

/** How many children run when their worker dies. */
const children = [1, 2, 3]

/** Lines of an output that is too long for a row, and its bytes. */
const lines = 20_000
const outputBytes = Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join("").length

/** What the dead worker left is whole at the nodes that are there: a long output, and a snapshot of what it changed. */
async function checkContents({ cluster: { client }, mark, expect }: Round, sessionID: string): Promise<void> {
  const { items } = await client.session.messages.query({ sessionID })
  const call = items.flatMap(({ parts }) => parts).find((part) => part.type === "tool" && part.tool === "bash")
  const page = await client.session.output.query({ partID: call?.id ?? "" }).catch(String)
  expect(typeof page === "object" && page.size === outputBytes, `the output is ${JSON.stringify(page).slice(0, 200)}`)
  const path = `${mark}.txt`
  const { changes } = await client.changes.list.query({ sessionID })
  const step = changes.find((change) => change.path === path)
  if (step === undefined) return expect(false, `no step changed ${path}`)
  const steps = [{ sessionID: step.sessionID, messageID: step.messageID }]
  const diff = await client.changes.diff.query({ sessionID, path, steps }).catch(String)
  expect(JSON.stringify(diff).includes(`+${mark}`), `the diff is ${JSON.stringify(diff).slice(0, 200)}`)
}

export const killWorker: Row = {
  name: "5",
  about: "kill -9 of a worker with three running children",
  expects: { takeover: "p95 ≤ 12 s, max ≤ 30 s" },
  async play(round) {
    const { cluster, mark } = round
    const dig = (n: number) => ({
      ...{ tool: "task", args: { description: `dig ${n}`, prompt: `Dig ${mark}-${n}.`, subagent_type: "general" } },
    })
    const first = noted(`${mark}-first`, `echo ${mark} > ${mark}.txt; seq 1 ${lines}`)
    round.script({ [`Work ${mark}.`]: [first, { calls: children.map(dig) }, noted(`${mark}-after`), ...said("Done.")] })
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
    await checkContents(round, sessionID)
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
