import { type Connected, connect } from "../connect/connect.ts"
import { connectOptions, type ServiceOptions } from "../service-options.ts"

/** The service behind an editor: the one that runs, or one that starts with the first session and ends with the editor. */
export interface ServiceOfEditor {
  /** Connects at the first call. `project` is where a service would be started. @throws UsageError; the next call tries again */
  connect(project: string): Promise<Connected>
  /** Aborts, with the reason, when a service that was started here exits by itself. */
  ended: AbortSignal
  close(): Promise<void>
}

export function createServiceOfEditor(options: ServiceOptions): ServiceOfEditor {
  let connecting: Promise<Connected> | null = null
  const ended = new AbortController()

  async function begin(project: string): Promise<Connected> {
    const connected = await connect(connectOptions(options, project))
    connected.ended.addEventListener("abort", () => ended.abort(connected.ended.reason), { once: true })
    return connected
  }

  return {
    connect(project) {
      connecting ??= begin(project).catch((error: unknown) => {
        connecting = null
        throw error
      })
      return connecting
    },
    ended: ended.signal,
    async close() {
      const connected = await connecting?.catch(() => null)
      await connected?.close()
    },
  }
}
