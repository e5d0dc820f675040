/** Where work was when a client asked to note it. `createdAt` is in milliseconds UTC. */
export interface Checkpoint {
  id: string;
  summary: string;
  nextSteps: string | null;
  openFiles: string[];
  createdAt: number;
}
