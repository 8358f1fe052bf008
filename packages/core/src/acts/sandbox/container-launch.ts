import {
  type ConfineByBubblewrap,
  gitOfClosed,
  gitSettings,
  mountsOfPlace,
  sandboxEnv,
  sandboxRoot,
} from "./bubblewrap.ts"
import { privateDirectories } from "./private-directories.ts"

interface ContainerPlaces {
  /** The home directory of the machine, whose git settings name the author of commits. */
  home: string
  dataDirectory: string
  ownDirectory: string
  configDirectory: string
}

/** The home directory in a container. */
const containerHome = "/home/docket"

/** An absolute path, or a list of them. */
const namesPath = /^\/[^:]*(?::\/[^:]*)*$/

/** Says what a container has to show to a program. The executor starts it there, so nothing can start it here. */
export function createContainerLaunch(places: ContainerPlaces): ConfineByBubblewrap {
  const { dataDirectory, ownDirectory, configDirectory } = places
  const own = [dataDirectory, configDirectory]
  return (launch, place, options) => {
    const { home } = privateDirectories(sandboxRoot(ownDirectory), place.home ?? place.project)
    const { placed, restorePointers } = mountsOfPlace({ own, ownDirectory }, place, options)
    const settings = gitSettings(places.home).map((mount) => ({
      ...mount,
      at: `${containerHome}${mount.path.slice(places.home.length)}`,
    }))
    // Paths of this machine say nothing there.
    const env = Object.entries(launch.env).filter(
      ([name, value]) => place.variables.includes(name) || !namesPath.test(value),
    )
    return {
      ...launch,
      env: {
        ...sandboxEnv(Object.fromEntries(env), { home: containerHome, named: place.variables }),
        ...gitOfClosed(options.closed),
      },
      shown: [{ kind: "write", path: home, at: containerHome }, ...settings, ...placed],
      descriptors: [],
      release() {},
      async ended() {
        restorePointers()
        return []
      },
    }
  }
}
