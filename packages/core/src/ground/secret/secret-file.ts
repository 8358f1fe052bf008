import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from "node:crypto"
import { chmod, link, mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { DocketError } from "../error/docket-error.ts"
import { notWritten } from "../error/not-written.ts"
import { readBoundedFile, unreadableReason } from "../file/read-bounded-file.ts"

/**
 * Secrets by name, each a value of JSON. Nothing is kept in memory: another process on the same directory sees each change
 * at its next call.
 */
export interface SecretFile {
  /** Null when there is none. @throws config_invalid when it cannot be read */
  get(name: string): Promise<unknown>
  /** The names of all secrets, sorted; those that cannot be read are left out. */
  names(): Promise<string[]>
  set(name: string, value: unknown): Promise<void>
  remove(name: string): Promise<void>
}

/** Bytes. */
const sizes = { key: 32, iv: 12, tag: 16, secret: 1024 * 1024 } as const
const ending = ".secret"

/**
 * Keeps secrets encrypted (AES-256-GCM) below `<dataDirectory>/secrets`, one file each, with the key in a file beside them.
 * Only their owner reads these files; a copy of the database, or of one of the files, tells nothing.
 */
export function createSecretFile({ dataDirectory }: { dataDirectory: string }): SecretFile {
  const directory = join(dataDirectory, "secrets")
  const keyFile = join(directory, "key")
  const fileOf = (key: Buffer, name: string) =>
    join(directory, `${createHmac("sha256", key).update(name).digest("hex")}${ending}`)
  const read = async (file: string, key: Buffer): Promise<{ name: string; value: unknown } | null> => {
    const sealed = await readBoundedFile(file, sizes.secret).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null
      throw new DocketError("config_invalid", `The saved secret ${file} ${unreadableReason(error)}.`)
    })
    if (sealed === null) return null
    try {
      return opened(sealed, key)
    } catch {
      // The cause is left out, because it may quote the secret.
      const message = `The saved secret ${file} is damaged, or its key was replaced; remove the file and log in again.`
      throw new DocketError("config_invalid", message)
    }
  }
  return {
    async get(name) {
      const key = await readKey(keyFile)
      if (key === null) return null
      const found = await read(fileOf(key, name), key)
      return found?.name === name ? found.value : null
    },
    async names() {
      const key = await readKey(keyFile)
      if (key === null) return []
      const files = (await readdir(directory)).filter((file) => file.endsWith(ending))
      const found = await Promise.all(files.map((file) => read(join(directory, file), key).catch(() => null)))
      return found.flatMap((one) => (one === null ? [] : [one.name])).sort()
    },
    async set(name, value) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const key = (await readKey(keyFile)) ?? (await makeKey(keyFile))
      const sealed = seal(JSON.stringify({ name, value }), key)
      if (sealed.length > sizes.secret) throw new DocketError("invalid_input", `The secret "${name}" is too large.`)
      const file = fileOf(key, name)
      await writePrivately(file, sealed, (temporary) => rename(temporary, file))
    },
    async remove(name) {
      const key = await readKey(keyFile)
      if (key !== null) await rm(fileOf(key, name), { force: true })
    },
  }
}

function seal(text: string, key: Buffer): Buffer {
  const iv = randomBytes(sizes.iv)
  const cipher = createCipheriv("aes-256-gcm", key, iv)
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

function opened(sealed: Buffer, key: Buffer): { name: string; value: unknown } {
  const iv = sealed.subarray(0, sizes.iv)
  const tag = sealed.subarray(sizes.iv, sizes.iv + sizes.tag)
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAuthTag(tag)
  const text = Buffer.concat([decipher.update(sealed.subarray(sizes.iv + sizes.tag)), decipher.final()])
  // Only what `set` sealed opens with this key.
  return JSON.parse(text.toString("utf8")) as { name: string; value: unknown }
}

/** Null when there is none yet. @throws config_invalid */
async function readKey(file: string): Promise<Buffer | null> {
  try {
    const key = await readBoundedFile(file, sizes.key)
    if (key.length === sizes.key) return key
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw new DocketError("config_invalid", `The key of the saved secrets ${file} ${unreadableReason(error)}.`)
  }
  const message = `The key of the saved secrets ${file} is damaged; remove the directory and log in again.`
  throw new DocketError("config_invalid", message)
}

/** Makes a key, unless another process makes one at the same time; then that one counts. */
async function makeKey(file: string): Promise<Buffer> {
  const made = randomBytes(sizes.key)
  const isFirst = await writePrivately(file, made, async (temporary) => {
    try {
      await link(temporary, file)
      return true
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
  })
  const key = isFirst ? made : await readKey(file)
  if (key === null) throw new DocketError("config_invalid", `The key of the saved secrets ${file} was removed.`)
  return key
}

/** Writes what only its owner reads, and has it put in the place of a file. @throws file_not_written */
async function writePrivately<T>(file: string, bytes: Buffer, place: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    await using handle = await open(temporary, "wx", 0o600)
    await handle.writeFile(bytes)
    await handle.sync()
    await chmod(temporary, 0o600)
    return await place(temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw notWritten(file, error)
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null
}
