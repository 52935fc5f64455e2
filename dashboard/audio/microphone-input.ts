import { resample, SAMPLE_RATE, toPcm } from "../../robot/wire/audio/audio-frames.ts";

/** Chunks a second; each becomes one audio frame of the robot. */
const CHUNK_RATE = 50;

/**
 * Captures this machine's microphone until the returned function is called.
 * @param worklet address of `public/microphone-worklet.js`
 * @throws Error with a message for people: no permission, no microphone, no secure page
 */
export async function openMicrophone(worklet: URL, onSamples: (samples: Int16Array) => void): Promise<() => void> {
  if (navigator.mediaDevices === undefined)
    throw new Error("Browsers allow the microphone on secure pages only: open the dashboard through localhost.");
  // Echo cancellation removes the robot's own voice, which plays here too.
  const audio = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((error: DOMException) => {
    const denied = error.name === "NotAllowedError";
    throw new Error(denied ? "The browser was not allowed to use the microphone." : `No microphone: ${error.message}`);
  });
  const context = new AudioContext();
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(worklet);
  } catch (error) {
    close();
    throw error;
  }
  const chunkLength = Math.round(context.sampleRate / CHUNK_RATE);
  const capture = new AudioWorkletNode(context, "microphone", {
    processorOptions: { chunkLength },
    numberOfOutputs: 0,
  });
  capture.port.onmessage = ({ data }: MessageEvent<Float32Array>) =>
    onSamples(toPcm(resample(data, context.sampleRate, SAMPLE_RATE)));
  new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(capture);
  return close;
}
