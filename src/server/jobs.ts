/** Something that must be done once, by whichever process of the service is free. */
export interface Job {
  /** Describes what to do; while a job is queued or under way, another one with its key is left out. */
  readonly key: string;
  /** When it may begin, in ms since 1970. */
  readonly dueAt: number;
}

/** How the jobs of a queue are done. */
export interface JobHandler {
  /** Most jobs of the queue that this process does at once. */
  readonly concurrency: number;
  /** Does a job. One whose process ends meanwhile is done again by another one: it must find out what is left to do. */
  readonly handle: (key: string) => Promise<void>;
}

/** Hands out jobs to the processes of a service, each job to one of them at a time. */
export interface Jobs {
  /** Names what does the jobs of a queue. Call it before the first of them is added. */
  work(queue: string, handler: JobHandler): Promise<void>;
  /** Adds jobs. Resolves when they are queued; where one process does everything, when they are done. */
  add(queue: string, jobs: readonly Job[]): Promise<void>;
  /** Begins nothing more; resolves when what is under way in this process has ended. */
  close(): Promise<void>;
}
