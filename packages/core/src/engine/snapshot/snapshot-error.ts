/** A snapshot cannot be taken or read. The work goes on without. */
export class SnapshotError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "SnapshotError"
  }
}

/** The directory is no project of usual size: it stays without snapshots for a while. */
export class TooMuchToKeep extends SnapshotError {}
