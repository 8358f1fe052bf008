import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Version } from "@cyclonedx/cyclonedx-library/Spec"
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation"
import { list } from "tar"
import { afterEach, beforeEach, expect, test } from "vitest"
import { billOfMaterials } from "./bill-of-materials.ts"
import { dependenciesOf, packagesOf, readPackages } from "./contained-packages.ts"
import { noticesOf } from "./notices.ts"
import { changesOf } from "./read-changes.ts"
import { writeTarball } from "./write-tarball.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-release-"))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<string> {
  const file = path.join(directory, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

async function install(name: string, manifest: object, files: Record<string, string> = {}): Promise<string> {
  for (const [file, text] of Object.entries(files)) await write(`node_modules/${name}/${file}`, text)
  return path.dirname(await write(`node_modules/${name}/package.json`, JSON.stringify({ name, ...manifest })))
}

test("a release names the packages that its modules come from", async () => {
  const one = await install("one", { version: "1.0.0", license: "MIT" }, { LICENSE: "Text of one", "it.js": "" })
  const two = await install("@two/it", { version: "2.0.0", license: "ISC" }, { "NOTICE.md": "Text of two" })
  const modules = [path.join(one, "it.js"), path.join(one, "deep/more.js"), `\0${two}/x.js?commonjs`, "/work/own.ts"]
  expect(await readPackages(packagesOf(modules))).toEqual([
    { name: "@two/it", version: "2.0.0", license: "ISC", homepage: null, texts: ["Text of two"] },
    { name: "one", version: "1.0.0", license: "MIT", homepage: null, texts: ["Text of one"] },
  ])
})

test("dependencies of dependencies are named, also in a circle", async () => {
  await install("a", { version: "1.0.0", dependencies: { b: "1", absent: "1" } })
  await install("b", { version: "1.0.0", dependencies: { a: "1" } })
  await write("package.json", JSON.stringify({ name: "app", version: "1.0.0", dependencies: { a: "1" } }))
  const found = await dependenciesOf(directory)
  expect([...found].map((at) => path.basename(at)).sort()).toEqual(["a", "b"])
})

test("a package without a licence may not be in a release", async () => {
  const at = await install("secret", { version: "1.0.0" })
  await expect(readPackages([at])).rejects.toThrow("secret@1.0.0 has no licence")
})

test("equal texts of licences stand once", () => {
  const named = (name: string, text: string) => ({
    name,
    version: "1.0.0",
    license: "MIT",
    homepage: null,
    texts: [text],
  })
  const notices = noticesOf([named("a", "The text\n"), named("b", "The text"), named("c", "Another")])
  expect(notices.match(/The text/g)).toHaveLength(1)
  expect(notices).toMatch(/a 1\.0\.0 \(MIT\)\nb 1\.0\.0 \(MIT\)\n\nThe text/)
})

test("the bill of materials follows its schema and never varies", async () => {
  const packages = [
    { name: "@a/b", version: "1.0.0", license: "(MIT OR Apache-2.0)", homepage: "https://example.org/b" },
    { name: "odd", version: "0.1.0", license: "See the file", homepage: null },
  ]
  const own = { name: "docket", version: "1.2.3", license: "MIT", homepage: null }
  const bill = billOfMaterials(own, packages)
  expect(await new JsonStrictValidator(Version.v1dot6).validate(bill)).toBeNull()
  expect(billOfMaterials(own, packages.toReversed())).toBe(bill)
  expect(JSON.parse(bill).components.map(({ purl }: { purl: string }) => purl)).toEqual([
    "pkg:npm/%40a/b@1.0.0",
    "pkg:npm/odd@0.1.0",
  ])
})

test("the same files give the same tarball, with directories named node_modules", async () => {
  const tarballs = await Promise.all(
    [1, 2].map(async (day) => {
      for (const name of ["bin/it.js", "web/node_modules/next/index.js"]) {
        const file = await write(`files-${day}/${name}`, name)
        await utimes(file, day, day)
      }
      const tarball = path.join(directory, `${day}.tgz`)
      await writeTarball(path.join(directory, `files-${day}`), tarball)
      return tarball
    }),
  )
  const [first, second] = await Promise.all(tarballs.map((file) => readFile(file)))
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
  const names: string[] = []
  await list({ file: tarballs[0] ?? "", onReadEntry: (entry) => names.push(entry.path) })
  expect(names).toEqual(["package/bin/it.js", "package/web/node_modules/next/index.js"])
})

test("a release says what is unreleased, else what its version says", () => {
  const released = "# Changes\n\n## Unreleased\n\n## 1.0.0\n\n- First.\n\n## 0.9.0\n\n- Before.\n"
  expect(changesOf(released, "1.0.0")).toBe("# Docket 1.0.0\n\n- First.\n")
  expect(changesOf(released.replace("Unreleased\n", "Unreleased\n\n- New.\n"), "1.1.0")).toContain("- New.")
  expect(() => changesOf(released, "2.0.0")).toThrow("CHANGELOG.md says nothing about 2.0.0")
})
