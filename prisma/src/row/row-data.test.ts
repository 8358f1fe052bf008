import { readdirSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { records } from "@docket/core/store"
import { expect, it } from "vitest"
import { z } from "zod"
import { decode, encode, type RowShape } from "./row-data.ts"

const releases = new URL("../../test/released-rows/", import.meta.url)
const databases = new URL("../../test/released-databases/", import.meta.url)
const Line = z.object({ table: z.enum(Object.keys(records) as (keyof typeof records)[]), data: z.unknown() })

/** Rows of each kind from the database of a released version, one per line. */
function rowsOf(release: string): z.infer<typeof Line>[] {
  const text = readFileSync(new URL(release, releases), "utf8")
  return text
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)))
}

it.each(readdirSync(releases))("every row that %s wrote is read, unchanged after writing it again", (release) => {
  const rows = rowsOf(release)
  for (const { table, data } of rows) {
    const shape: RowShape<object> = records[table]
    const value = decode(shape, JSON.stringify(data))
    expect(decode(shape, encode(shape, value))).toEqual(value)
    expect(Object.keys(value)).toEqual(expect.arrayContaining(Object.keys(data as object)))
  }
})

/** The tables of a release that store their content as JSON, from the saved database. */
function kindsOf(release: string): string[] {
  using database = new DatabaseSync(":memory:")
  database.exec(readFileSync(new URL(`${release}/sqlite.sql`, databases), "utf8"))
  const tables = `SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'data'`
  return database
    .prepare(tables)
    .all()
    .map(({ name }) => String(name))
}

it("the saved rows include every release with a saved database", () => {
  expect(readdirSync(releases).sort()).toEqual(
    readdirSync(databases)
      .map((release) => `${release}.jsonl`)
      .sort(),
  )
})

it.each(readdirSync(databases))("the saved rows of %s include one of each kind", (release) => {
  const known = new Set<string>(rowsOf(`${release}.jsonl`).map(({ table }) => table))
  expect(known).toEqual(new Set(kindsOf(release)))
})

const Name = z.object({ id: z.string(), names: z.array(z.string()) })
/** `name` became `title`, which then became a list of names. */
const renamedTwice: RowShape<z.infer<typeof Name>> = {
  name: "Project",
  schema: Name,
  upcasts: [({ name, ...rest }) => ({ ...rest, title: name }), ({ title, ...rest }) => ({ ...rest, names: [title] })],
}

it("a row of any older version is upgraded step by step", () => {
  const expected = { id: "x", names: ["One"] }
  expect(decode(renamedTwice, '{"id":"x","name":"One"}')).toEqual(expected)
  expect(decode(renamedTwice, '{"$shape":2,"id":"x","title":"One"}')).toEqual(expected)
  expect(encode(renamedTwice, expected)).toBe('{"$shape":3,"id":"x","names":["One"]}')
  expect(decode(renamedTwice, encode(renamedTwice, expected))).toEqual(expected)
})

it("a row of a newer version is reported", () => {
  expect(() => decode(renamedTwice, '{"$shape":4,"id":"x"}')).toThrow("written by a newer version of Docket (shape 4)")
})
