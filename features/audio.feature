Feature: Speaker and microphone
  Clients of the daemon's audio socket receive what the speaker plays. A recording stands in for the microphone.

  Scenario: app plays a tone | a client receives it at its pitch
    Given a daemon with an awake robot
    And a client listens to the speaker
    When the start of "tone_app" is requested
    Then the client receives a tone of 440 Hz

  @thorough
  Scenario: app plays a tone | two clients receive it
    Given a daemon with an awake robot
    And a client listens to the speaker
    And another client listens to the speaker
    When the start of "tone_app" is requested
    Then both clients receive a tone of 440 Hz

  Scenario: app playing | stop request | playback stops
    Given a daemon with an awake robot
    And a client listens to the speaker
    And "tone_app" is running
    And the client receives a tone of 440 Hz
    When the stop is requested
    Then the slot is free with the state "done"
    And "tone_app" printed "left by stop_event"
    And the tone of 440 Hz has stopped

  @thorough
  Scenario: app playing | subprocess is killed | playback stops
    Given a daemon with an awake robot
    And a client listens to the speaker
    And "tone_app" is running
    And the client receives a tone of 440 Hz
    When its process is killed with SIGKILL
    Then eventually the slot is free with the state "error"
    And the tone of 440 Hz has stopped

  @own-daemon
  Scenario: microphone recording | an app receives it
    Given a daemon with a microphone recording of a tone of 1000 Hz
    When the start of "listening_app" is requested
    Then eventually "listening_app" printed "hears 1000 Hz"

  @own-daemon
  @thorough
  Scenario: app and client listen | both receive the microphone | app stops | one listener left
    Given a daemon with a microphone recording of a tone of 1000 Hz
    And a client listens to the microphone
    When the start of "listening_app" is requested
    Then eventually "listening_app" printed "hears 1000 Hz"
    And the client receives a tone of 1000 Hz
    And the microphone has 2 listeners
    When the stop is requested
    Then the microphone has 1 listener

  @own-daemon @sim
  Scenario: client lends its microphone | an app receives it
    Given a daemon with an awake robot
    And a client lends it a microphone with a tone of 700 Hz
    When the start of "listening_app" is requested
    Then eventually "listening_app" printed "hears 700 Hz"

  @own-daemon
  Scenario: app plays a sound, records and plays what it hears | a client hears both
    Given a daemon with a microphone recording of a tone of 1000 Hz
    And a client listens to the speaker
    When the start of "audio_app" is requested
    Then the client receives a sound
    And the client receives a tone of 1000 Hz

  @own-daemon
  @thorough
  Scenario: script calls the same four audio methods | a client hears both
    Given a daemon with a microphone recording of a tone of 1000 Hz
    And a client listens to the speaker
    When the script "echo_microphone" is run
    Then the client receives a sound
    And the client receives a tone of 1000 Hz

  @thorough
  Scenario: goto_sleep, wake_up | each plays a sound
    Given a daemon with an awake robot
    And a client listens to the speaker
    When goto_sleep is requested
    Then the client receives a sound
    When wake_up is requested as soon as the robot sleeps
    Then the client receives a sound

  @own-daemon
  Scenario: volume set | daemon restarts | volume kept
    Given a daemon with an awake robot
    When the volume is set to 37
    And the daemon is closed and started again
    Then the volume is 37

  Scenario: client sends invalid audio | it receives an error, other clients are not affected
    Given a daemon with an awake robot
    And a client listens to the speaker
    And "tone_app" is running
    When a client sends 3 bytes to the audio socket
    Then the client receives "samples are 2 bytes each"
    And the client receives a tone of 440 Hz
