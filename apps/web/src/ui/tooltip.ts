/** A file of its own, so that no more of the kit comes with it. */
export { Tooltip } from "@mantine/core"
