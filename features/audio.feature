Feature: The robot speaks and hears
  Through the daemon's audio socket, with the simulated robot's ear and voice: whoever listens there hears what the
  speaker plays, and a recording stands in for the microphone.

  Scenario: what an app plays is heard, at its pitch
    Given a daemon with an awake robot
    And somebody listens to the speaker
    When the start of "tone_app" is requested
    Then a tone of 440 Hz is heard

  Scenario: several listeners hear the same
    Given a daemon with an awake robot
    And somebody listens to the speaker
    And somebody else listens to the speaker
    When the start of "tone_app" is requested
    Then both hear a tone of 440 Hz

  Scenario: app running | stop request | it falls silent
    Given a daemon with an awake robot
    And somebody listens to the speaker
    And "tone_app" is running
    And a tone of 440 Hz is heard
    When the stop is requested
    Then the slot is free, its app "done"
    And "tone_app" printed "left by stop_event"
    And nothing of the 440 Hz is heard any more

  Scenario: app running | subprocess is killed | it falls silent
    Given a daemon with an awake robot
    And somebody listens to the speaker
    And "tone_app" is running
    And a tone of 440 Hz is heard
    When its process is killed with SIGKILL
    Then within 5 seconds the slot is free, its app "error"
    And nothing of the 440 Hz is heard any more

  @own-daemon
  Scenario: an app hears what the microphone hears
    Given a daemon whose microphone hears a tone of 1000 Hz
    When the start of "listening_app" is requested
    Then within 10 seconds "listening_app" printed "hears 1000 Hz"

  @own-daemon
  Scenario: an app and somebody else share the microphone, which is off when nobody listens
    Given a daemon whose microphone hears a tone of 1000 Hz
    And somebody listens to the microphone
    When the start of "listening_app" is requested
    Then within 10 seconds "listening_app" printed "hears 1000 Hz"
    And a tone of 1000 Hz is heard
    And the microphone has 2 listeners
    When the stop is requested
    Then the microphone has 1 listener

  @own-daemon @sim
  Scenario: a browser lends the robot its microphone
    Given a daemon with an awake robot
    And somebody lends it a microphone that hears a tone of 700 Hz
    When the start of "listening_app" is requested
    Then within 10 seconds "listening_app" printed "hears 700 Hz"

  Scenario: waking up and going to sleep are heard
    Given a daemon with an awake robot
    And somebody listens to the speaker
    When the robot is told to sleep
    Then a sound is heard
    When the robot is told to wake up
    Then a sound is heard

  @own-daemon
  Scenario: the volume outlives the daemon
    Given a daemon with an awake robot
    When the volume is set to 37
    And the daemon is closed and started again
    Then the volume is 37

  Scenario: a client that sends what is no audio is told so, and the others hear on
    Given a daemon with an awake robot
    And somebody listens to the speaker
    And "tone_app" is running
    When a client sends 3 bytes to the audio socket
    Then it is told "samples are 2 bytes each"
    And a tone of 440 Hz is heard
