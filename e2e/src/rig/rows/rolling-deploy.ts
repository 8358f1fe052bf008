import { setTimeout as delay } from "node:timers/promises"
import { noted, type Round, type Row, said } from "../round.ts"
import { until } from "../until.ts"

const sessions = 4
/** Pause of each person between two prompts, and of a browser between two looks at all chunks (ms). */
const pauseMs = 250
/** How many prompts of a person wait for their answers at most. */
const waitingAtMost = 10

export const rollingDeploy: Row = {
  name: "deploy",
  about: "all nodes are stopped and started again, one after the other, while people work",
  async play(round) {
    const { cluster } = round
    const { web, storage, lone, projects } = cluster
    const over = new AbortController()
    const roots: string[] = []
    for (let at = 0; at < sessions; at++) roots.push(await round.begin(at === 0 ? projects.lone : projects.storage))
    const people = roots.map((root, at) => work(round, root, { name: `${round.mark}-${at}`, signal: over.signal }))
    const all = Promise.all([...people, cluster.hasPages ? browse(round, over.signal) : null])
    // It is waited for when the deploy is over.
    all.catch(() => {})
    const began = Date.now()
    try {
      for (const node of [...web, ...storage, lone]) {
        const stopping = Date.now()
        await node.server.end()
        round.figure("stop", Date.now() - stopping)
        await node.server.restart()
        await until(`${node.name} is ready`, () => !web.includes(node) || isReady(round, node))
      }
      round.figure("deploy", Date.now() - began)
    } finally {
      over.abort()
    }
    await all
    round.count(
      "connections",
      round.readers().reduce((sum, reader) => sum + reader.connections(), 0),
    )
  },
}

/** Sends prompts until the signal, and waits when many of them are not answered. */
async function work(round: Round, sessionID: string, { name, signal }: { name: string; signal: AbortSignal }) {
  const { client } = round.cluster
  for (let at = 0; !signal.aborted; at++) {
    const isFull = async () => {
      const tree = await client.session.tree.query({ sessionID }).catch(() => null)
      return tree === null || tree.turns.length >= waitingAtMost
    }
    while (!signal.aborted && (await isFull())) await delay(pauseMs)
    round.script({ [`Say ${name}-${at}.`]: [noted(`${name}-${at}`), ...said(`Said ${at}.`)] })
    await round.prompt(sessionID, `Say ${name}-${at}.`)
    round.count("prompts")
    await delay(pauseMs)
  }
}

/** Asks for the login page and all that it needs, again and again. */
async function browse(round: Round, signal: AbortSignal): Promise<void> {
  const { url } = round.cluster
  while (!signal.aborted) {
    const page = await fetch(`${url}/login`)
    const text = await page.text()
    const chunks = new Set(text.match(/\/_next\/static\/[^"'\\ ]+/g))
    round.expect(page.status === 200 && chunks.size > 0, `the page came with ${page.status} and ${chunks.size} chunks`)
    for (const chunk of chunks) {
      const answer = await fetch(`${url}${chunk}`)
      await answer.arrayBuffer()
      round.expect(answer.status === 200, `${chunk} came with ${answer.status}`)
      round.count("chunks")
    }
    await delay(pauseMs)
  }
}

/** Whether the web node answers, with pages if it has any. */
async function isReady({ cluster }: Round, node: (typeof cluster.web)[number]): Promise<boolean> {
  const answer = await fetch(`${cluster.urlOf(node)}${cluster.hasPages ? "/login" : "/api/health"}`).catch(() => null)
  return answer?.status === 200
}
