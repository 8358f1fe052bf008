import { noted, type Row, said } from "../round.ts"

const prompts = 6

export const dropListeners: Row = {
  name: "9",
  about: "the connections on which nodes listen are ended while readers follow a tree",
  expects: { "rows at readers": "≤ 2 s" },
  async play(round) {
    const { cluster, mark } = round
    const sessionID = await round.begin(cluster.projects.storage)
    for (let at = 0; at < prompts; at++)
      round.script({ [`Say ${mark}-${at}.`]: [noted(`${mark}-${at}`), ...said(`Said ${at}.`)] })
    for (let at = 0; at < prompts; at++) {
      if (at % 2 === 1) {
        const ended = await cluster.postgres.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket wake'",
        )
        round.count("connections ended", ended.length)
      }
      await round.prompt(sessionID, `Say ${mark}-${at}.`)
      await round.settled(sessionID)
    }
    const written = new Map((await round.stored(sessionID)).map(({ seq, at }) => [seq, at]))
    for (const { seen } of round.readers())
      for (const { seq, at } of seen) round.figure("rows at readers", at - (written.get(seq) ?? at))
  },
}
