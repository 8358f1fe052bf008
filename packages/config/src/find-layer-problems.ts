import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { readImports } from "./read-imports.ts"

/**
 * The folders of a source tree, bottom first; a file that lies beside them is named like a folder. What is in a layer
 * may import from the layers below it: not from a layer above, and not from another folder of its own layer.
 */
export type Layers = readonly (readonly string[])[]

const sourceFile = /(?<!\.d)\.(?:ts|tsx|mts|js|mjs)$/
const testFile = /\.(?:test|test-d)\.tsx?$/
/** Folders of code that only tests run. */
const testFolders = ["test", "contract"]
/** The file that other packages import; it stands above all layers. */
const entry = "index.ts"

/** Where the sources below `root` do not keep to their layers, one sentence each. */
export async function findLayerProblems(root: string, layers: Layers): Promise<string[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => sourceFile.test(file))
  const product = files.filter((file) => !isTest(file))
  const present = new Set(product.map(placeOf).filter((place) => place !== entry))
  const imports = await Promise.all(product.map((file) => readFileImports(root, file)))
  return [...findUnlisted(present, layers), ...imports.flat().flatMap((found) => judge(found, layers))]
}

function isTest(file: string): boolean {
  const folders = path.dirname(file).split(path.sep)
  return testFile.test(file) || folders.some((folder) => testFolders.includes(folder))
}

/** The folder of the tree that a file is in, or the file itself. */
function placeOf(file: string): string {
  return file.split(path.sep)[0] ?? file
}

interface Import {
  from: string
  /** A file of the same tree. */
  to: string
}

async function readFileImports(root: string, file: string): Promise<Import[]> {
  const source = await readFile(path.join(root, file), "utf8")
  return readImports(file, source)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ from: file, to: path.normalize(path.join(path.dirname(file), specifier)) }))
    .filter(({ to }) => !to.startsWith(".."))
}

function findUnlisted(present: Set<string>, layers: Layers): string[] {
  const listed = layers.flat()
  return [
    ...[...present].filter((place) => !listed.includes(place)).map((place) => `${place} is in no layer`),
    ...listed.filter((place) => !present.has(place)).map((place) => `${place} is in a layer, but holds no sources`),
    ...listed.filter((place, index) => listed.indexOf(place) !== index).map((place) => `${place} is listed twice`),
  ]
}

function judge({ from, to }: Import, layers: Layers): string[] {
  if (isTest(to)) return [`${from} imports ${to}, which is there for tests only`]
  const [fromPlace, toPlace] = [placeOf(from), placeOf(to)]
  if (fromPlace === toPlace || fromPlace === entry) return []
  if (toPlace === entry) return [`${from} imports ${to}, which is there for other packages`]
  const [own, other] = [fromPlace, toPlace].map((place) => layers.findIndex((layer) => layer.includes(place)))
  if (own === undefined || other === undefined || own > other) return []
  return [`${from} imports ${to}, which is in ${own === other ? "the same layer" : "a layer above"}`]
}
