import type { Store } from "../ground/store/port/index.ts"

/** Opens an empty store. `dispose` closes it and cleans up. */
export type MakeStore = () => Promise<{ store: Store; dispose: () => Promise<void> }>

/** Opens an empty store that is disposed of after the test. */
export type OpenStore = () => Promise<Store>
