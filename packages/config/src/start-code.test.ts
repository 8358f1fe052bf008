import path from "node:path"
import { expect, it } from "vitest"
import { findSource, repository } from "./find-source.ts"
import { readLoaded } from "./read-loaded.ts"

it("startup loads no module that only routes, accounts or Prisma need", async () => {
  const loaded = await readLoaded(path.join(repository, "apps/server/src/serve-until-stopped.ts"), findSource)
  // It was followed into the packages.
  for (const each of ["@trpc/server", "node:sqlite", "zod"]) expect([...loaded.keys()]).toContain(each)
  const late = /^(?:hono|@hono|@prisma\/client|better-auth|nodemailer|undici|yaml)(?:$|\/)/
  const early = [...loaded].filter(([name]) => late.test(name))
  expect(early.map(([name, way]) => [name, ...way.map((file) => path.relative(repository, file))])).toEqual([])
})
