/** The artifact lives in `core`, below the rooms that read folders; it is known here by its old address. */
export * from '../core/artifact.js';
