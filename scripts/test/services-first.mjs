import { BaseSequencer } from "vitest/node"

/** Projects whose files take seconds each, in which they mostly wait. */
const slowProjects = ["service", "server", "db", "cli", "client"]

/** Starts the slow files first, so that no worker is left with one at the end, also on a machine that knows no times. */
export class ServicesFirst extends BaseSequencer {
  /** @param {import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files)
    const isSlow = ({ project }) => slowProjects.includes(project.name)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
