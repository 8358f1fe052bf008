import { createIdSource } from "@docket/core"
import { openPostgresDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, it } from "vitest"
import { filledData, removeDirectories } from "./test/filled-data.ts"
import { toNodes } from "./to-nodes.ts"

afterAll(removeDirectories)
const postgres = await startPostgres()
const quiet = () => undefined

if (typeof postgres === "string") {
  console.warn(`The tests of to-nodes are skipped: ${postgres}`)
  it.skip(`to-nodes (${postgres})`, () => {})
} else {
  afterAll(postgres.stop)
  const { url } = postgres

  it("to-nodes gives projects and trees a place, and refuses doubles", async () => {
    const data = await filledData()
    const asked = { url, data, storage: "team" }
    const { facts, words } = await toNodes(asked, quiet)
    expect(facts).toEqual({ projects: expect.any(Number), sessions: expect.any(Number) })
    expect(Math.min(Number(facts.projects), Number(facts.sessions))).toBeGreaterThan(0)
    expect(words).toContain("docket serve --role worker --storage team")
    expect(words).not.toContain(new URL(url).password || "no password")

    const opened = await openPostgresDatabase({ url })
    const { project: projects, session: sessions, tree } = opened.store("local")
    const [known] = await projects.list()
    expect(known?.place).toBe("storage:team")
    const [listed] = (await sessions.listRoots({ archived: false, limit: 1 })).items
    expect(await tree.place(listed?.session.id ?? "")).toBe("storage:team")

    // As a single process would, that had the database in between.
    const { place: _place, ...placeless } = known ?? { place: undefined }
    const double = { ...placeless, id: createIdSource()("project") } as typeof known & object
    await projects.put(double)
    await expect(toNodes(asked, quiet)).rejects.toThrow(`already opened ${known?.directory}`)
    expect((await projects.get(double.id))?.place).toBeUndefined()
    await opened.close()
  })

  it("to-nodes needs the address of a PostgreSQL database", async () => {
    const data = await filledData()
    for (const wrong of [null, "mysql://localhost/docket"])
      await expect(toNodes({ url: wrong, data, storage: null }, quiet)).rejects.toMatchObject({ code: "invalid_input" })
  })
}
