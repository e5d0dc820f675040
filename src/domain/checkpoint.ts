/** Where work stood: made only when asked for. `createdAt` is in milliseconds UTC. */
export interface Checkpoint {
  id: string;
  summary: string;
  nextSteps: string | null;
  openFiles: string[];
  createdAt: number;
}
