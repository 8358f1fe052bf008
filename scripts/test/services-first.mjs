import { BaseSequencer } from "vitest/node"

/** Projects whose files take several seconds each, mostly waiting. */
const slowProjects = ["service", "server", "db", "cli", "client"]

/** Starts the slow files first, so that no worker has one left at the end; needs no recorded times. */
export class ServicesFirst extends BaseSequencer {
  /** @param {import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files)
    const isSlow = ({ project }) => slowProjects.includes(project.name)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
